import { Button, Group, Stack, TextInput, Title } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { EmptyState } from '../display/empty-state.tsx';
import { LoadProblem } from '../display/load-problem.tsx';
import { Pages } from '../display/pages.tsx';
import { present } from '../display/read-search.ts';
import { usePageTitle } from '../display/use-page-title.ts';
import { useOwner } from '../session/use-owner.ts';
import { cellarsQuery } from './cellars-query.ts';
import type { CellarsSearch } from './cellars-search.ts';
import { CellarsTable } from './cellars-table.tsx';
import { CreateCellar } from './create-cellar.tsx';

const route = getRouteApi('/signed-in/');

/** All cellars, by name. */
export function CellarsPage() {
  usePageTitle('Cellars');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isOwner = useOwner();
  const [isCreating, setCreating] = useState(false);
  const [typed, setTyped] = useState(search.search ?? '');
  const searchField = useRef<HTMLInputElement>(null);
  useHotkeys([['/', () => searchField.current?.focus()]]);

  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...cellarsQuery(search),
    placeholderData: keepPreviousData,
  });

  const show = (next: CellarsSearch): void => void navigate({ search: next, replace: true });
  const searchFor = useDebouncedCallback((text: string) => {
    show(present({ search: text === '' ? undefined : text, archived: search.archived }));
  }, 200);

  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1} size="h2">
          {search.archived === true ? 'Archived cellars' : 'Cellars'}
        </Title>
        {isOwner && <Button onClick={() => setCreating(true)}>Create cellar</Button>}
      </Group>
      <Group>
        <TextInput
          ref={searchField}
          aria-label="Search cellars by name"
          placeholder="Search by name  ( / )"
          type="search"
          maxLength={64}
          w={{ base: '100%', xs: 280 }}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            searchFor(event.currentTarget.value);
          }}
        />
        <Button
          variant="subtle"
          onClick={() =>
            show(present({ search: search.search, archived: search.archived === true ? undefined : true }))
          }
        >
          {search.archived === true ? 'Show those in use' : 'Show archived'}
        </Button>
      </Group>

      {error !== null && data === undefined ? (
        <LoadProblem what="the cellars" error={error} retry={() => void refetch()} />
      ) : data?.cellars.length === 0 ? (
        <NoCellars search={search} onCreate={isOwner ? () => setCreating(true) : undefined} />
      ) : (
        <>
          <CellarsTable cellars={data?.cellars} isStale={isPlaceholderData} />
          <Pages
            isFirst={search.cursor === undefined}
            nextCursor={data?.nextCursor ?? null}
            go={(cursor) => void navigate({ search: present({ ...search, cursor }) })}
          />
        </>
      )}
      <CreateCellar isOpen={isCreating} close={() => setCreating(false)} />
    </Stack>
  );
}

function NoCellars({ search, onCreate }: { search: CellarsSearch; onCreate: (() => void) | undefined }) {
  if (search.search !== undefined) {
    return <EmptyState title={`No cellar has “${search.search}” in its name`} />;
  }
  if (search.archived === true) return <EmptyState title="No cellar is archived" />;
  if (onCreate === undefined) {
    return <EmptyState title="You have no cellar yet">An owner can give you one.</EmptyState>;
  }
  return (
    <EmptyState
      title="There is no cellar yet"
      action={<Button onClick={onCreate}>Create the first one</Button>}
    >
      A cellar is a use case or a project, with API keys and a retention of its own.
    </EmptyState>
  );
}

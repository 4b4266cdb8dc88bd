import { Anchor, Group, NativeSelect, Stack, Table, Text, Title } from '@mantine/core';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { responseData } from '../api/response-data.ts';
import { keyService } from '../api/key-service.ts';
import type { AuditEntry } from '../api/resources.ts';
import { EmptyPage } from '../display/tables/empty-page.tsx';
import { EmptyState } from '../display/empty-state.tsx';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { Moment } from '../display/time/moment.tsx';
import { Pages } from '../display/tables/pages.tsx';
import { ListTable } from '../display/tables/list-table.tsx';
import { present } from '../display/read-search.ts';
import { SearchField } from '../display/tables/search-field.tsx';
import { usePageTitle } from '../display/use-page-title.ts';
import type { AuditSearch } from './audit-search.ts';
import { ACTIONS, describeAction, describeDetails } from './describe-entry.ts';

const route = getRouteApi('/signed-in/cellars/$cellar/audit');

const COLUMNS = ['Time', 'User', 'Action', 'Details', 'IP address'];

function auditQuery(cellar: string, search: AuditSearch) {
  return queryOptions({
    queryKey: ['audit', cellar, search],
    queryFn: ({ signal }) =>
      responseData(
        keyService.GET('/api/v1/cellars/{cellar}/audit', {
          params: { path: { cellar }, query: search },
          signal,
        }),
      ),
  });
}

/** The audit log of a cellar, newest first. */
export function AuditPage() {
  const { cellar } = route.useParams();
  usePageTitle('Audit', cellar);
  const search = route.useSearch();
  const { action, actor, cursor } = search;
  const navigate = route.useNavigate();
  const show = (next: AuditSearch): void => void navigate({ search: next });
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...auditQuery(cellar, search),
    placeholderData: keepPreviousData,
  });

  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h3">
          Audit
        </Title>
        <Anchor
          href={`/api/v1/cellars/${cellar}/audit.csv?${new URLSearchParams(present({ action, actor })).toString()}`}
          download={`audit-${cellar}.csv`}
          size="sm"
        >
          Export as CSV
        </Anchor>
      </Group>
      <Group>
        <NativeSelect
          aria-label="Filter by action"
          w={{ base: '100%', xs: 280 }}
          value={action ?? ''}
          onChange={(event) => {
            const chosen = ACTIONS.find((known) => known === event.currentTarget.value);
            show(present({ action: chosen, actor }));
          }}
          data={[
            { value: '', label: 'All actions' },
            ...ACTIONS.map((known) => ({ value: known, label: describeAction({ action: known }) })),
          ]}
        />
        <SearchField
          label="Filter by user"
          placeholder="Filter by user"
          maxLength={254}
          value={actor}
          onSearch={(next) => void navigate({ search: present({ action, actor: next }), replace: true })}
        />
      </Group>
      {error !== null && data === undefined ? (
        <LoadProblem what="the audit log" error={error} retry={() => void refetch()} />
      ) : data?.entries.length === 0 ? (
        <EmptyPage isFirst={cursor === undefined} toFirst={() => show(present({ action, actor }))}>
          <EmptyState title="No matching entries" />
        </EmptyPage>
      ) : (
        <>
          <ListTable
            label="Audit log"
            columns={COLUMNS}
            rows={data?.entries.map((entry) => (
              <EntryRow key={entry.id} entry={entry} />
            ))}
            isStale={isPlaceholderData}
          />
          <Pages
            isFirst={cursor === undefined}
            nextCursor={data?.nextCursor ?? null}
            go={(next) => show(present({ action, actor, cursor: next }))}
          />
        </>
      )}
    </Stack>
  );
}

function EntryRow({ entry }: { entry: AuditEntry }) {
  return (
    <Table.Tr>
      <Table.Td data-label="Time">
        <Moment at={entry.at} />
      </Table.Td>
      <Table.Td data-label="User">{entry.actor}</Table.Td>
      <Table.Td data-label="Action">{describeAction(entry)}</Table.Td>
      <Table.Td data-label="Details">
        <div>
          {describeDetails(entry).map((line) => (
            <Text key={line} size="sm" c="dimmed">
              {line}
            </Text>
          ))}
        </div>
      </Table.Td>
      <Table.Td data-label="IP address">{entry.address ?? 'System'}</Table.Td>
    </Table.Tr>
  );
}

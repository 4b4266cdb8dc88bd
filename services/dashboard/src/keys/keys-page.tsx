import { Button, SegmentedControl, Stack } from '@mantine/core';
import { IconPlus, ICON } from '../display/theme/icons.ts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { cellarQuery } from '../cellars/cellars-query.ts';
import { ClaimCodes } from '../claim-codes/claim-codes.tsx';
import { EmptyState, PageHeading, Toolbar } from '../display/blocks.tsx';
import { MOST_COUNTED_KEYS } from '../display/describe-number.ts';
import { PagedList } from '../display/tables/paged-list.tsx';
import { present } from '../display/read-search.ts';
import { SearchField } from '../display/tables/search-field.tsx';
import { usePageTitle } from '../display/use-page-title.ts';
import { useMayChangeKeys } from '../session/roles.tsx';
import { useBulkActions } from './bulk/use-bulk-actions.tsx';
import { useKeyDialogs } from './dialogs/use-key-dialogs.tsx';
import { keysQuery } from './key-queries.ts';
import { KEY_STATES, withoutSecret } from './keys-search.ts';
import type { KeysSearch } from './keys-search.ts';
import { KeysTable } from './keys-table.tsx';

const route = getRouteApi('/signed-in/cellars/$cellar/keys');

/** The API keys of a cellar. */
export function KeysPage() {
  const { cellar } = route.useParams();
  usePageTitle('API Keys', cellar);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const dialogs = useKeyDialogs(cellar);
  const { data: cellarView } = useQuery(cellarQuery(cellar));
  const query = useQuery(keysQuery(cellar, search));

  const { state = 'active' } = search;
  const bulk = useBulkActions(cellar, state, dialogs.finish);
  const mayChange = useMayChangeKeys();
  const isArchived = typeof cellarView?.archivedAt === 'string';
  const show = (next: KeysSearch): void => void navigate({ search: next });

  return (
    <Stack>
      <PageHeading>API Keys</PageHeading>
      <div>
        <Toolbar
          actions={
            mayChange &&
            !isArchived && (
              <>
                <Button variant="default" onClick={() => dialogs.open({ dialog: 'import' })}>
                  Import keys
                </Button>
                <Button
                  leftSection={<IconPlus {...ICON} />}
                  onClick={() => dialogs.open({ dialog: 'create' })}
                >
                  Create New Key
                </Button>
              </>
            )
          }
        >
          <SegmentedControl
            aria-label="Key state"
            w={{ base: '100%', xs: 'max-content' }}
            value={state}
            onChange={(value) => {
              const chosen = KEY_STATES.find((known) => known === value);
              show(
                present({ ...search, state: chosen === 'active' ? undefined : chosen, cursor: undefined }),
              );
            }}
            data={[
              { value: 'active', label: 'Active' },
              { value: 'expired', label: 'Expired' },
              { value: 'revoked', label: 'Revoked' },
            ]}
          />
          <SearchField
            label="Search keys by name or prefix"
            placeholder="Search by name or prefix"
            maxLength={100}
            value={search.search}
            onSearch={(text) => {
              const next = present({ ...search, search: withoutSecret(text), cursor: undefined });
              void navigate({ search: next, replace: true });
            }}
          />
        </Toolbar>
        {dialogs.notice}
      </div>

      <PagedList
        what="the API keys"
        query={query}
        rows={query.data?.keys}
        cursor={search.cursor}
        go={(cursor) => show(present({ ...search, cursor }))}
        empty={<NoKeys state={state} search={search.search} />}
      >
        <KeysTable
          keys={query.data?.keys}
          search={search}
          isLarge={(cellarView?.activeKeys ?? 0) > MOST_COUNTED_KEYS}
          isStale={query.isPlaceholderData}
          show={show}
          selection={mayChange && state !== 'revoked' ? bulk.selection : undefined}
          act={mayChange ? (dialog, key) => dialogs.open({ dialog, key }) : undefined}
        />
      </PagedList>
      {query.data?.keys.length !== 0 && bulk.bar}

      {/* It would move when the list above it loads. */}
      {!query.isPending && <ClaimCodes cellar={cellar} isArchived={isArchived} />}

      {dialogs.dialog}
      {bulk.dialog}
    </Stack>
  );
}

function NoKeys({ state, search }: { state: (typeof KEY_STATES)[number]; search: string | undefined }) {
  if (search !== undefined) {
    return (
      <EmptyState title={`No ${state} keys match “${search}”`}>
        Search covers names and key prefixes.
      </EmptyState>
    );
  }
  if (state !== 'active') return <EmptyState title={`No ${state} keys`} />;
  return (
    <EmptyState title="No active keys">
      Racks need a key to send readings. Create one per rack or gateway so that you can revoke them
      individually.
    </EmptyState>
  );
}

import { Button, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { describeExactly } from '../display/describe-number.ts';
import { EmptyState, Toolbar } from '../display/blocks.tsx';
import { useNotice } from '../display/use-notice.tsx';
import { PagedList } from '../display/tables/paged-list.tsx';
import { present } from '../display/read-search.ts';
import { SearchField } from '../display/tables/search-field.tsx';
import { usePageTitle } from '../display/use-page-title.ts';
import { OwnersOnly } from '../session/roles.tsx';
import { deadLetterCountsQuery, deadLettersQuery } from './dead-letters-queries.ts';
import type { DeadLetterAction, Selection } from './dead-letters-queries.ts';
import { readDeadLettersSearch } from './dead-letters-search.ts';
import type { DeadLettersSearch } from './dead-letters-search.ts';
import { DecideDialog } from './decide-dialog.tsx';
import type { Decided } from './decide-dialog.tsx';
import { LetterDialog } from './letter-dialog.tsx';
import { LettersTable } from './letters-table.tsx';
import { Outcome } from './outcome.tsx';

const route = getRouteApi('/signed-in/dead-letters');
const LABELS = { open: 'Open', replaying: 'Replaying', replayed: 'Replayed', discarded: 'Discarded' };

/** Messages in the topic that are not valid readings. */
export function DeadLettersPage() {
  usePageTitle('Dead letters');
  return (
    <OwnersOnly>
      <DeadLetters />
    </OwnersOnly>
  );
}

function DeadLetters() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [deciding, setDeciding] = useState<{ action: DeadLetterAction; selection: Selection }>();
  const { notice, finish } = useNotice('dead-letters', 'audit');
  const { data: counts } = useQuery(deadLetterCountsQuery);
  const query = useQuery(deadLettersQuery(search));
  const { state = 'open', reason, letter } = search;
  const show = (next: DeadLettersSearch, options?: { replace: boolean }): void =>
    void navigate({ search: next, ...options });
  const act = (action: DeadLetterAction, id: string): void =>
    setDeciding({ action, selection: { ids: [id] } });
  const closeAndFinish = (decided: Decided): void => {
    setDeciding(undefined);
    finish(<Outcome key={decided.at} decided={decided} />);
    if (letter !== undefined) show(present({ ...search, letter: undefined }), { replace: true });
  };
  const actOnAll = (action: DeadLetterAction) => (
    <Button
      variant="default"
      onClick={() => setDeciding({ action, selection: present({ reason }) })}
      disabled={(query.data?.deadLetters ?? []).length === 0}
    >
      {`${action === 'replay' ? 'Replay' : 'Discard'} all${reason === undefined ? '' : ' that match'}`}
    </Button>
  );

  return (
    <Stack>
      <div>
        <Title order={1} size="h2">
          Dead letters
        </Title>
        <Text c="dimmed">
          Messages in the topic that are not valid readings: the newest 20,000 of the last 30 days. Ingest
          writes none, so another program did, or the ClickHouse table was changed.
        </Text>
        {notice}
      </div>
      <Toolbar actions={state === 'open' && ['replay' as const, 'discard' as const].map(actOnAll)}>
        <SegmentedControl
          aria-label="State"
          size="xs"
          w={{ base: '100%', xs: 'max-content' }}
          value={state}
          onChange={(value) => show(present({ ...readDeadLettersSearch({ state: value }), reason }))}
          data={Object.entries(LABELS).map(([value, label]) => ({
            value,
            label: `${label} ${describeCount(counts?.[value as typeof state])}`.trim(),
          }))}
        />
        <SearchField
          label="Search reasons"
          placeholder="Search reasons"
          maxLength={200}
          value={reason}
          onSearch={(text) =>
            show(present({ ...search, reason: text, cursor: undefined }), { replace: true })
          }
        />
      </Toolbar>
      <PagedList
        what="the dead letters"
        query={query}
        rows={query.data?.deadLetters}
        cursor={search.cursor}
        go={(cursor) => show(present({ ...search, cursor }))}
        empty={
          <EmptyState
            title={
              reason === undefined ? `No ${state} dead letters` : `No ${state} dead letters match “${reason}”`
            }
          />
        }
      >
        <LettersTable
          letters={query.data?.deadLetters}
          search={search}
          act={act}
          isStale={query.isPlaceholderData}
        />
      </PagedList>
      {deciding !== undefined ? (
        <DecideDialog {...deciding} close={() => setDeciding(undefined)} finish={closeAndFinish} />
      ) : (
        letter !== undefined && (
          <LetterDialog
            id={letter}
            act={act}
            close={() => show(present({ ...search, letter: undefined }), { replace: true })}
          />
        )
      )}
    </Stack>
  );
}

/** Empty for none: on a phone, four states need the space. */
function describeCount(count = 0): string {
  return count === 0 ? '' : describeExactly(count);
}

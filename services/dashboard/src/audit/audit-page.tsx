import { Anchor, Group, Stack, Table, Text, Title } from '@mantine/core';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';
import type { AuditEntry } from '../api/resources.ts';
import { LoadProblem } from '../display/load-problem.tsx';
import { Moment } from '../display/moment.tsx';
import { Pages } from '../display/pages.tsx';
import { present } from '../display/read-search.ts';
import { SkeletonRows } from '../display/skeleton-rows.tsx';
import { usePageTitle } from '../display/use-page-title.ts';
import type { AuditSearch } from './audit-search.ts';
import { describeAction, describeDetails } from './describe-entry.ts';

const route = getRouteApi('/signed-in/cellars/$cellar/audit');

const COLUMNS = ['When', 'Who', 'What', 'Details', 'From'];

function auditQuery(cellar: string, search: AuditSearch) {
  return queryOptions({
    queryKey: ['audit', cellar, search],
    queryFn: ({ signal }) =>
      answerOf(
        keyService.GET('/api/v1/cellars/{cellar}/audit', {
          params: { path: { cellar }, query: search },
          signal,
        }),
      ),
  });
}

/** Who did what in a cellar, newest first. */
export function AuditPage() {
  const { cellar } = route.useParams();
  usePageTitle('Audit', cellar);
  const search = route.useSearch();
  const navigate = route.useNavigate();
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
        <Anchor href={`/api/v1/cellars/${cellar}/audit.csv`} download={`audit-${cellar}.csv`} size="sm">
          Export as CSV
        </Anchor>
      </Group>
      {error !== null && data === undefined ? (
        <LoadProblem what="the audit" error={error} retry={() => void refetch()} />
      ) : (
        <>
          <Table
            className="rows-or-cards"
            aria-label="Audit"
            aria-busy={data === undefined || isPlaceholderData}
          >
            <Table.Thead>
              <Table.Tr>
                {COLUMNS.map((column) => (
                  <Table.Th key={column}>{column}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data === undefined ? (
                <SkeletonRows columns={COLUMNS.length} />
              ) : (
                data.entries.map((entry) => <EntryRow key={entry.id} entry={entry} />)
              )}
            </Table.Tbody>
          </Table>
          <Pages
            isFirst={search.cursor === undefined}
            nextCursor={data?.nextCursor ?? null}
            go={(cursor) => void navigate({ search: present({ cursor }) })}
          />
        </>
      )}
    </Stack>
  );
}

function EntryRow({ entry }: { entry: AuditEntry }) {
  return (
    <Table.Tr>
      <Table.Td data-label="When">
        <Moment at={entry.at} />
      </Table.Td>
      <Table.Td data-label="Who">{entry.actor}</Table.Td>
      <Table.Td data-label="What">{describeAction(entry)}</Table.Td>
      <Table.Td data-label="Details">
        <div>
          {describeDetails(entry).map((line) => (
            <Text key={line} size="sm" c="dimmed">
              {line}
            </Text>
          ))}
        </div>
      </Table.Td>
      <Table.Td data-label="From">{entry.address ?? 'the service itself'}</Table.Td>
    </Table.Tr>
  );
}

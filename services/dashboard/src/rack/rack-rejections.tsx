import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { RejectionsTable } from '../rejections/rejections-table.tsx';
import { rackRejectionsQuery } from './rack-queries.ts';
import type { RackName } from './rack-queries.ts';

/** What was rejected of this rack on the last day. */
export function RackRejections(name: RackName) {
  const { data, error, refetch } = useQuery(rackRejectionsQuery(name));
  return (
    <Stack gap="sm">
      <Title order={3} size="h4">
        Rejected readings, last day
      </Title>
      {error !== null && data === undefined ? (
        <LoadProblem what="the rejected readings" error={error} retry={() => void refetch()} />
      ) : data?.length === 0 ? (
        <Text c="dimmed">None.</Text>
      ) : (
        <>
          <RejectionsTable cellar={name.cellar} rejections={data} />
          <Text size="sm" c="dimmed">
            Counted per minute and key. If racks share a key, a count can include other racks. Readings that
            do not name their rack are on the overview only.
          </Text>
        </>
      )}
    </Stack>
  );
}

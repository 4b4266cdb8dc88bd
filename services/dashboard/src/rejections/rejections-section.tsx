import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LoadProblem } from '../display/problems/load-problem.tsx';
import { RANGES } from '../overview/ranges.ts';
import type { RangeName } from '../overview/ranges.ts';
import { MOST_KINDS, rejectionsQuery } from './rejections-queries.ts';
import { RejectionsTable } from './rejections-table.tsx';

/** Is anything rejected, and why? */
export function RejectionsSection({ cellar, range }: { cellar: string; range: RangeName }) {
  const rejections = useQuery(rejectionsQuery(cellar, range));
  const { data, error, refetch } = rejections;
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Rejected readings
      </Title>
      <div>
        {error !== null && data === undefined ? (
          <LoadProblem what="the rejected readings" error={error} retry={() => void refetch()} />
        ) : data?.length === 0 ? (
          <Text c="dimmed">No rejected readings in the {RANGES[range].label.toLowerCase()}.</Text>
        ) : (
          <RejectionsTable cellar={cellar} rejections={data} />
        )}
      </div>
      {data?.length === MOST_KINDS && (
        <Text size="sm" c="dimmed">
          Showing the {MOST_KINDS} most recent kinds.
        </Text>
      )}
    </Stack>
  );
}

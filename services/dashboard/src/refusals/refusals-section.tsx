import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LoadProblem } from '../display/load-problem.tsx';
import { NotRefreshed } from '../display/not-refreshed.tsx';
import { RANGES } from '../overview/ranges.ts';
import type { RangeName } from '../overview/ranges.ts';
import { MOST_KINDS, refusalsQuery } from './refusals-queries.ts';
import { RefusalsTable } from './refusals-table.tsx';

/** Is anything refused, and why? */
export function RefusalsSection({ cellar, range }: { cellar: string; range: RangeName }) {
  const refusals = useQuery(refusalsQuery(cellar, range));
  const { data, error, refetch } = refusals;
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Refused
      </Title>
      <div>
        <NotRefreshed queries={[refusals]} />
        {error !== null && data === undefined ? (
          <LoadProblem what="what was refused" error={error} retry={() => void refetch()} />
        ) : data?.length === 0 ? (
          <Text c="dimmed">Nothing was refused in the {RANGES[range].label.toLowerCase()}.</Text>
        ) : (
          <RefusalsTable refusals={data} />
        )}
      </div>
      {data?.length === MOST_KINDS && (
        <Text size="sm" c="dimmed">
          The {MOST_KINDS} kinds met last are shown. There may be more.
        </Text>
      )}
    </Stack>
  );
}

import { Text } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Key } from '../../api/resources.ts';
import { plural } from '../../display/describe-number.ts';
import { keyUsageQuery } from '../key-queries.ts';

const HOUR_MS = 3_600_000;
/** Each is a query of ClickHouse. */
const MOST_QUERIES = 20;

/** How many of these keys were used in the last hour, and by how many racks unless they are many keys. */
export function RecentUse({ keys }: { keys: readonly Key[] }) {
  const queryClient = useQueryClient();
  const [now] = useState(() => Date.now());
  const used = keys.filter(({ lastUsedAt }) => lastUsedAt !== null && now - Date.parse(lastUsedAt) < HOUR_MS);
  const { data: racks } = useQuery({
    ...racksQuery(queryClient, used),
    enabled: used.length > 0 && used.length <= MOST_QUERIES,
  });
  if (used.length === 0) return <Text>None of them was used in the last hour.</Text>;
  const count = `${plural(used.length, 'key was', 'keys were')} used in the last hour`;
  return <Text fw={600}>{racks === undefined ? `${count}.` : `${count}, by ${racks}.`}</Text>;
}

function racksQuery(queryClient: QueryClient, keys: readonly Key[]) {
  return queryOptions({
    queryKey: ['racks of keys', keys.map(({ id }) => id)],
    queryFn: async () => {
      const names = new Set<string>();
      let isComplete = true;
      // One after the other: a user has few slots in the query service.
      for (const { cellar, id } of keys) {
        const usage = await queryClient.query(keyUsageQuery(cellar, id, 'hour'));
        for (const { rack } of usage.racks) names.add(rack);
        isComplete &&= usage.rackCount === usage.racks.length;
      }
      return `${isComplete ? '' : 'more than '}${plural(names.size, 'rack')}`;
    },
    meta: { isBeside: true },
  });
}

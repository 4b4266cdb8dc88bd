import { Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { describeExactly, plural } from '../display/describe-number.ts';
import { Status } from '../display/status.tsx';

const HOURS = 24;
const HOUR_MS = 3_600_000;

export const unauthenticatedQuery = queryOptions({
  queryKey: ['unauthenticated requests'],
  queryFn: async ({ signal }) => {
    const { buckets } = await api.get('/api/v1/rejections/unauthenticated', {
      params: { query: { hours: HOURS, step: 300 } },
      signal,
    });
    const countSince = (since: number, kind: 'missing' | 'unknown') =>
      buckets.reduce((sum, bucket) => sum + (Date.parse(bucket.at) >= since ? bucket[kind] : 0), 0);
    const [missing, unknown] = [countSince(0, 'missing'), countSince(0, 'unknown')];
    const hourAgo = Date.now() - HOUR_MS;
    return { missing, unknown, lastHour: countSince(hourAgo, 'missing') + countSince(hourAgo, 'unknown') };
  },
  refetchInterval: 30_000,
  meta: { isBeside: true },
});

/** Requests to ingest that belong to no cellar, so that only owners see them. Nothing, if there was none. */
export function UnauthenticatedRequests() {
  const { data } = useQuery(unauthenticatedQuery);
  if (data === undefined || data.missing + data.unknown === 0) return null;
  const { missing, unknown, lastHour } = data;
  const counts = [
    missing > 0 && `${plural(missing, 'request')} without an API key`,
    unknown > 0 && `${plural(unknown, 'request')} with an unknown key`,
  ].filter((count) => count !== false);
  return (
    <Text size="sm" component="section" aria-label="Requests without a known API key">
      <Status kind={lastHour > 0 ? 'warn' : 'idle'}>Rejected without a cellar</Status>, last {HOURS} hours:{' '}
      {counts.join(', ')}; {lastHour === 0 ? 'none' : describeExactly(lastHour)} in the last hour. Check the
      X-API-Key header of new devices.
    </Text>
  );
}

import { queryOptions } from '@tanstack/react-query';
import { keyService } from '../api/key-service.ts';
import { query } from '../api/query.ts';
import { responseData } from '../api/response-data.ts';
import { toCounts } from '../overview/overview-queries.ts';
import { RANGES } from '../overview/ranges.ts';
import type { RangeName } from '../overview/ranges.ts';

const REFRESH_MS = 15_000;

export function keyQuery(cellar: string, id: string) {
  return queryOptions({
    queryKey: ['keys', cellar, 'one', id],
    queryFn: ({ signal }) =>
      responseData(
        keyService.GET('/api/v1/cellars/{cellar}/keys/{id}', { params: { path: { cellar, id } }, signal }),
      ),
    refetchInterval: REFRESH_MS,
  });
}

/** The readings that a key sent in a range: by time for the chart, and by rack. */
export function keyUsageQuery(cellar: string, id: string, range: RangeName) {
  const { seconds, step, refreshMs } = RANGES[range];
  return queryOptions({
    queryKey: ['key usage', cellar, id, range],
    queryFn: async ({ signal }) => {
      const to = Date.now();
      const from = to - seconds * 1_000;
      const { buckets, racks, rackCount } = await responseData(
        query.GET('/api/v1/query/cellars/{cellar}/keys/{keyId}/usage', {
          params: { path: { cellar, keyId: id }, query: { from: new Date(from).toISOString(), step } },
          signal,
        }),
      );
      return { counts: toCounts(buckets, { from, to }), racks, rackCount };
    },
    refetchInterval: refreshMs,
  });
}

export interface KeyUsage {
  racks: readonly { rack: string; readings: number; lastReceivedAt: string }[];
  /** More than `racks` has, if there are many. */
  rackCount: number;
}

import { queryOptions } from '@tanstack/react-query';
import { api, apiQuery } from '../api/api.ts';
import { present } from '../display/read-search.ts';
import type { LivePart } from '../live/use-refresh-on-arrivals.ts';
import { RANGES } from '../overview/ranges.ts';
import type { RangeName } from '../overview/ranges.ts';

/** The most that the service returns. */
export const MOST_KINDS = 200;
const HOUR_SECONDS = 3_600;

/** The list of rejections and their chart, of a page that follows readings. */
export function liveRejections(range: RangeName): LivePart[] {
  return [
    { queryKey: ['rejections'], everyMs: RANGES.hour.refreshMs, of: 'rejections' },
    { queryKey: ['rejection counts'], everyMs: RANGES[range].refreshMs, of: 'rejections' },
  ];
}

export interface RejectionFilter {
  /** The id of a key. */
  key?: string;
  rack?: string;
}

/** The kinds of rejections in a range, most recent first. */
export function rejectionsQuery(cellar: string, range: RangeName, filter: RejectionFilter = {}) {
  const hours = RANGES[range].seconds / HOUR_SECONDS;
  const params = { path: { cellar }, query: { hours, limit: MOST_KINDS, ...filter } };
  return apiQuery('rejections', '/api/v1/cellars/{cellar}/rejections', params);
}

/** Rejections of the last minutes: a count for each minute, key, reason and field. */
export function rejectedMinutesQuery(cellar: string) {
  const params = { path: { cellar }, query: { minutes: 15, limit: 50 } };
  return apiQuery('rejections', '/api/v1/cellars/{cellar}/rejections/minutes', params, {
    // For those of a moment without a stream.
    refetchInterval: 30_000,
  });
}

/** The number of rejected readings of each step, as points of a chart. */
export function rejectionCountsQuery(cellar: string, range: RangeName, key?: string) {
  const { seconds, step } = RANGES[range];
  return queryOptions({
    queryKey: ['rejection counts', cellar, range, key],
    queryFn: async ({ signal }) => {
      const params = { path: { cellar }, query: present({ hours: seconds / HOUR_SECONDS, step, key }) };
      const { buckets } = await api.get('/api/v1/cellars/{cellar}/rejections/counts', { params, signal });
      const rejected = new Map<number, number>();
      for (const { at, rejected: count } of buckets) {
        const start = Date.parse(at);
        rejected.set(start, (rejected.get(start) ?? 0) + count);
      }
      return [...rejected].map(([at, value]) => ({ at, value })).toSorted((a, b) => a.at - b.at);
    },
  });
}

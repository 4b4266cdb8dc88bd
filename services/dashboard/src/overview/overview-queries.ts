import { queryOptions } from '@tanstack/react-query';
import { api, apiQuery } from '../api/api.ts';
import type { ChartRange } from '../charts/chart-series.ts';
import { RANGES } from './ranges.ts';
import type { RangeName } from './ranges.ts';

/** Short, for users who have just sent a reading and look for it. */
export const REFRESH_MS = 2_000;

export function overviewQuery(cellar: string) {
  return apiQuery('overview', '/api/v1/query/cellars/{cellar}/overview', { path: { cellar } });
}

export function countsQuery(cellar: string, range: RangeName) {
  const { seconds, step } = RANGES[range];
  return queryOptions({
    queryKey: ['counts', cellar, range],
    queryFn: async ({ signal }) => {
      const to = Date.now();
      const from = to - seconds * 1_000;
      const { buckets } = await api.get('/api/v1/query/cellars/{cellar}/counts', {
        params: { path: { cellar }, query: { from: new Date(from).toISOString(), step } },
        signal,
      });
      return toCounts(buckets, { from, to });
    },
  });
}

/** Returns what the chart of readings shows. */
export function toCounts(
  buckets: readonly { at: string; readings: number; isComplete: boolean }[],
  range: ChartRange,
) {
  const points = buckets.map(({ at, readings }) => ({ at: Date.parse(at), value: readings }));
  const filling = buckets.find(({ isComplete }) => !isComplete);
  return { points, ...range, fillingFrom: filling === undefined ? Infinity : Date.parse(filling.at) };
}

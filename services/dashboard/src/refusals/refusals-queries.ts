import { queryOptions } from '@tanstack/react-query';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';
import { RANGES } from '../overview/ranges.ts';
import type { RangeName } from '../overview/ranges.ts';

/** Ingest tells what it refused every two seconds. */
const REFRESH_MS = 5_000;
/** So many the service gives at most. */
export const MOST_KINDS = 200;
const HOUR_SECONDS = 3_600;

/** The kinds of refusals in a range, those met last first. */
export function refusalsQuery(cellar: string, range: RangeName) {
  const hours = RANGES[range].seconds / HOUR_SECONDS;
  return queryOptions({
    queryKey: ['refusals', cellar, range],
    queryFn: async ({ signal }) => {
      const params = { path: { cellar }, query: { hours, limit: MOST_KINDS } };
      const { refusals } = await answerOf(
        keyService.GET('/api/v1/cellars/{cellar}/refusals', { params, signal }),
      );
      return refusals;
    },
    refetchInterval: REFRESH_MS,
  });
}

/** How many were refused in each step, by the begin of the step in milliseconds. */
export function refusalCountsQuery(cellar: string, range: RangeName) {
  const { seconds, step, refreshMs } = RANGES[range];
  return queryOptions({
    queryKey: ['refusal counts', cellar, range],
    queryFn: async ({ signal }) => {
      const params = { path: { cellar }, query: { hours: seconds / HOUR_SECONDS, step } };
      const { buckets } = await answerOf(
        keyService.GET('/api/v1/cellars/{cellar}/refusals/counts', { params, signal }),
      );
      const refused: Record<number, number> = {};
      for (const { at, refused: count } of buckets) {
        const begin = Date.parse(at);
        refused[begin] = (refused[begin] ?? 0) + count;
      }
      return refused;
    },
    refetchInterval: refreshMs,
  });
}

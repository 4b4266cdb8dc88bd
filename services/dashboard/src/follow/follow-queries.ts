import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import type { ReadingIdentity } from './follow-search.ts';

/** A reading is visible within a second, unless something is wrong. */
export const EXPECTED_WITHIN_MS = 10_000;
const EVERY_MS = 100;
const LATER_EVERY_MS = 2_000;

/**
 * Polls until the reading is visible in ClickHouse.
 *
 * @param sinceMs when polling began, in milliseconds since 1970
 */
export function readingQuery(cellar: string, identity: ReadingIdentity, sinceMs: number) {
  return queryOptions({
    queryKey: ['reading', cellar, identity],
    queryFn: async ({ signal, client, queryKey }) => {
      const found = await api.get('/api/v1/query/cellars/{cellar}/reading', {
        params: { path: { cellar }, query: identity },
        signal,
      });
      const before = client.getQueryData<{ reading: unknown; checkedAt: string }>(queryKey);
      // The reading became visible between the last query without it and the first one with it.
      return { ...found, missedAt: before?.reading === null ? before.checkedAt : undefined };
    },
    refetchInterval: ({ state }) => {
      if (state.data !== undefined && state.data.reading !== null) return false;
      return Date.now() - sinceMs < EXPECTED_WITHIN_MS ? EVERY_MS : LATER_EVERY_MS;
    },
    staleTime: Infinity,
    gcTime: 0,
  });
}

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, apiQuery } from '../api/api.ts';
import { toCounts } from '../overview/overview-queries.ts';
import { RANGES } from '../overview/ranges.ts';
import type { RangeName } from '../overview/ranges.ts';
import type { KeysSearch } from './keys-search.ts';

/** Keeps "Last used" fresh. */
const REFRESH = { refetchInterval: 15_000 };

/** How often ingest reports the use of a key by default, see LAST_USED_INTERVAL_MS. Its first use is reported immediately. */
export const USE_REPORTED_MINUTES = 15;

/** What shows keys, or counts them. */
export const KEY_TOPICS = ['keys', 'cellar', 'cellars', 'audit'];

export function keysQuery(cellar: string, { state = 'active', ...rest }: KeysSearch) {
  const params = { path: { cellar }, query: { state, ...rest } };
  const options = { ...REFRESH, placeholderData: keepPreviousData };
  return apiQuery('keys', '/api/v1/cellars/{cellar}/keys', params, options);
}

export function keyQuery(cellar: string, id: string) {
  return apiQuery('keys', '/api/v1/cellars/{cellar}/keys/{id}', { path: { cellar, id } }, REFRESH);
}

/** The public URL of ingest. */
export const addressesQuery = apiQuery(
  'addresses',
  '/api/v1/ingest-url',
  {},
  { staleTime: Infinity, meta: { isBeside: true } },
);

/** The readings that a key sent in a range: by time for the chart, and by rack. */
export function keyUsageQuery(cellar: string, id: string, range: RangeName) {
  const { seconds, step } = RANGES[range];
  return queryOptions({
    queryKey: ['key usage', cellar, id, range],
    queryFn: async ({ signal }) => {
      const to = Date.now();
      const from = to - seconds * 1_000;
      const { buckets, racks, rackCount } = await api.get(
        '/api/v1/query/cellars/{cellar}/keys/{keyId}/usage',
        {
          params: { path: { cellar, keyId: id }, query: { from: new Date(from).toISOString(), step } },
          signal,
        },
      );
      return { counts: toCounts(buckets, { from, to }), racks, rackCount };
    },
  });
}

export interface KeyUsage {
  racks: readonly { rack: string; readings: number; lastReceivedAt: string }[];
  /** More than `racks` has, if there are many. */
  rackCount: number;
}

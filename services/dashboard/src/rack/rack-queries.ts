import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, apiQuery } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import type { RangeSearch } from '../range/range-search.ts';
import { DATA_RANGES } from '../range/ranges.ts';
import { RACK_RANGE } from './rack-search.ts';

/** More kegs than a device has. */
const MOST_KEGS = 200;
const READINGS_PER_PAGE = 200;

export interface RackName {
  cellar: string;
  rack: string;
}

/** When it was last seen, and its neighbours by name. */
export function rackQuery({ cellar, rack }: RackName) {
  return apiQuery('rack', '/api/v1/query/cellars/{cellar}/rack', { path: { cellar }, query: { rack } });
}

/** The latest value of each keg. */
export function latestQuery({ cellar, rack }: RackName) {
  const params = { path: { cellar }, query: { rack, limit: MOST_KEGS } };
  return apiQuery('latest', '/api/v1/query/cellars/{cellar}/latest', params);
}

export interface WantedReadings extends RackName {
  keg: string;
  /** In milliseconds since 1970. */
  from: number;
  /** Undefined: until now. */
  to: number | undefined;
}

/** The readings of a keg in a range, newest first. */
export function readingsQuery({ cellar, rack, keg, from, to }: WantedReadings) {
  const range = { from: toInstant(from), ...(to !== undefined && { to: toInstant(to) }) };
  return infiniteQueryOptions({
    queryKey: ['readings', cellar, rack, keg, range],
    queryFn: async ({ signal, pageParam }) => {
      const cursor = pageParam === null ? {} : { cursor: pageParam };
      const page = await api.get('/api/v1/query/cellars/{cellar}/readings', {
        params: {
          path: { cellar },
          query: { rack, keg, ...range, ...cursor, order: 'desc', limit: READINGS_PER_PAGE },
        },
        signal,
      });
      if (typeof page === 'string') throw new Error('readings are JSON unless another format is requested');
      return page;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });
}

/** More series in one request are rejected. */
const SERIES_PER_REQUEST = 8;
const POINTS = 300;

/** The charts of all kegs in the range of the search, each with its steps. */
export function seriesQuery(
  { cellar, rack, kegs }: RackName & { kegs: readonly string[] },
  { range = RACK_RANGE, from, to }: RangeSearch,
) {
  return queryOptions({
    queryKey: ['series', cellar, rack, kegs, range, from, to],
    queryFn: async ({ signal }) => {
      const parts = Array.from({ length: Math.ceil(kegs.length / SERIES_PER_REQUEST) }, (_, part) =>
        kegs.slice(part * SERIES_PER_REQUEST, (part + 1) * SERIES_PER_REQUEST),
      );
      const now = Date.now();
      const ends = { from: from ?? toInstant(now - DATA_RANGES[range].length), to: to ?? toInstant(now) };
      const found = await Promise.all(
        parts.map((keg) =>
          api.get('/api/v1/query/cellars/{cellar}/series', {
            params: { path: { cellar }, query: { rack: [rack], keg, ...ends, points: POINTS } },
            signal,
          }),
        ),
      );
      return {
        shown: { from: Date.parse(ends.from), to: Date.parse(ends.to) },
        stepMs: (found[0]?.step ?? 1) * 1_000,
        series: new Map(found.flatMap(({ series }) => series.map((each) => [each.keg, each.points]))),
      };
    },
    enabled: kegs.length > 0,
    placeholderData: keepPreviousData,
  });
}

/** The API keys that sent the readings of the last day, with their names. */
export function rackKeysQuery({ cellar, rack }: RackName) {
  return queryOptions({
    queryKey: ['rack keys', cellar, rack],
    queryFn: async ({ signal }) => {
      const { keys } = await api.get('/api/v1/query/cellars/{cellar}/rack/keys', {
        params: { path: { cellar }, query: { rack } },
        signal,
      });
      return Promise.all(
        keys.map(async (used) => ({
          ...used,
          key: await findKey(cellar, used.keyId, signal),
        })),
      );
    },
  });
}

/** Returns undefined for an id that is no key of the cellar, such as one from an import. */
async function findKey(cellar: string, id: string, signal: AbortSignal) {
  const params = { path: { cellar, id } };
  const key = api.get('/api/v1/cellars/{cellar}/keys/{id}', { params, signal });
  return key.catch((error: unknown) => {
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return undefined;
    throw error;
  });
}

function toInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

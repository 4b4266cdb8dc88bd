import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import type { paths } from '../api/generated/query.ts';
import type { DataSearch } from './data-search.ts';
import { present } from '../display/read-search.ts';
import { DATA_RANGES, DEFAULT_RANGE } from '../range/ranges.ts';

type Series = paths['/api/v1/query/cellars/{cellar}/series']['get'];

/** What the request for the series has in its query string. */
export type SeriesParams = Series['parameters']['query'];
export type SeriesResponse = Series['responses'][200]['content']['application/json'];

export const MOST_RACKS_LISTED = 200;
const LIST_REFRESH_MS = 60_000;
/** More than the pixels of a chart are not visible. */
const POINTS = { wide: 500, narrow: 250 };

/** The racks that have sent a keg, by name. */
export function racksWithKegQuery(cellar: string, keg: string | undefined, search: string) {
  return queryOptions({
    queryKey: ['racks with keg', cellar, keg, search],
    enabled: keg !== undefined,
    queryFn: async ({ signal }) => {
      const query = { ...present({ keg }), limit: MOST_RACKS_LISTED };
      const path = { cellar };
      // The list of racks also counts all readings of the last hour, for which the chart would wait.
      const found =
        search === ''
          ? await api.get('/api/v1/query/cellars/{cellar}/latest', { params: { path, query }, signal })
          : await api.get('/api/v1/query/cellars/{cellar}/racks', {
              ...{ params: { path, query: { ...query, search } }, signal },
            });
      return ('series' in found ? found.series : found.racks).map(({ rack }) => rack);
    },
    staleTime: LIST_REFRESH_MS,
    placeholderData: keepPreviousData,
  });
}

/** @param now in milliseconds since 1970 */
export function seriesParams(
  { range = DEFAULT_RANGE, from, to }: DataSearch,
  { keg, racks }: Chosen,
  now: number,
): SeriesParams {
  const start = from ?? new Date(now - DATA_RANGES[range].length).toISOString();
  const points = window.innerWidth < 600 ? POINTS.narrow : POINTS.wide;
  return { keg: [keg], rack: [...racks], from: start, ...(to !== undefined && { to }), points };
}

export interface Chosen {
  keg: string;
  racks: readonly string[];
}

/** The series of the chart, all in one request. */
export function chartQuery(cellar: string, search: DataSearch, chosen: Chosen) {
  const { range, from, to } = search;
  return queryOptions({
    queryKey: ['chart', cellar, chosen, range, from, to],
    enabled: chosen.racks.length > 0,
    queryFn: ({ signal }) =>
      api.get('/api/v1/query/cellars/{cellar}/series', {
        params: { path: { cellar }, query: seriesParams(search, chosen, Date.now()) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

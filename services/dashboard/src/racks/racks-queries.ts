import { queryOptions } from '@tanstack/react-query';
import { responseData } from '../api/response-data.ts';
import { query } from '../api/query.ts';
import { present } from '../display/read-search.ts';
import type { RacksSearch } from './racks-search.ts';

const REFRESH_MS = 10_000;
const MOST_KEGS = 50;
const SPARKLINE_POINTS = 60;
const HOUR_MS = 3_600_000;

export function racksQuery(cellar: string, { rack: _rack, silent, ...rest }: RacksSearch) {
  const search = {
    ...rest,
    ...present({ silentForSeconds: silent === undefined ? undefined : Number(silent) }),
    limit: 50,
  };
  return queryOptions({
    queryKey: ['racks', cellar, search],
    queryFn: ({ signal }) =>
      responseData(
        query.GET('/api/v1/query/cellars/{cellar}/racks', {
          params: { path: { cellar }, query: search },
          signal,
        }),
      ),
    refetchInterval: REFRESH_MS,
  });
}

export function kegsQuery(cellar: string, rack: string) {
  return queryOptions({
    queryKey: ['kegs', cellar, rack],
    queryFn: ({ signal }) =>
      responseData(
        query.GET('/api/v1/query/cellars/{cellar}/latest', {
          params: { path: { cellar }, query: { rack, limit: MOST_KEGS } },
          signal,
        }),
      ),
    refetchInterval: REFRESH_MS,
  });
}

export function hourQuery(cellar: string, rack: string, keg: string) {
  return queryOptions({
    queryKey: ['hour', cellar, rack, keg],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - HOUR_MS).toISOString();
      return responseData(
        query.GET('/api/v1/query/cellars/{cellar}/series', {
          params: { path: { cellar }, query: { rack: [rack], keg: [keg], from, points: SPARKLINE_POINTS } },
          signal,
        }),
      );
    },
    refetchInterval: 6 * REFRESH_MS,
  });
}

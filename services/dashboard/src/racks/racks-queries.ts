import { queryOptions } from '@tanstack/react-query';
import { responseData } from '../api/response-data.ts';
import { query } from '../api/query.ts';
import { present } from '../display/read-search.ts';
import type { RacksSearch } from './racks-search.ts';

export const REFRESH_MS = 10_000;

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

import { queryOptions } from '@tanstack/react-query';
import { responseData } from '../api/response-data.ts';
import { keyService } from '../api/key-service.ts';
import type { KeysSearch } from './keys-search.ts';

/** Keeps "Last used" fresh. */
const REFRESH_MS = 15_000;

export function keysQuery(cellar: string, { state = 'active', ...rest }: KeysSearch) {
  return queryOptions({
    queryKey: ['keys', cellar, { state, ...rest }],
    queryFn: ({ signal }) =>
      responseData(
        keyService.GET('/api/v1/cellars/{cellar}/keys', {
          params: { path: { cellar }, query: { state, ...rest } },
          signal,
        }),
      ),
    refetchInterval: REFRESH_MS,
  });
}

import { queryOptions } from '@tanstack/react-query';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';
import type { KeysSearch } from './keys-search.ts';

/** Keys are looked at while they are used: the date of last use changes by itself. */
const REFRESH_MS = 15_000;

export function keysQuery(cellar: string, { state = 'active', ...rest }: KeysSearch) {
  return queryOptions({
    queryKey: ['keys', cellar, { state, ...rest }],
    queryFn: ({ signal }) =>
      answerOf(
        keyService.GET('/api/v1/cellars/{cellar}/keys', {
          params: { path: { cellar }, query: { state, ...rest } },
          signal,
        }),
      ),
    refetchInterval: REFRESH_MS,
  });
}

import { queryOptions } from '@tanstack/react-query';
import { responseData } from '../api/response-data.ts';
import { keyService } from '../api/key-service.ts';
import type { TokensSearch } from './tokens-search.ts';

/** All service tokens, newest first. */
export function tokensQuery(search: TokensSearch) {
  return queryOptions({
    queryKey: ['tokens', search],
    queryFn: ({ signal }) =>
      responseData(keyService.GET('/api/v1/tokens', { params: { query: search }, signal })),
  });
}

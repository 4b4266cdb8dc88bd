import { keepPreviousData } from '@tanstack/react-query';
import { apiQuery } from '../api/api.ts';
import type { TokensSearch } from './tokens-search.ts';

/** All service tokens, newest first. */
export function tokensQuery(query: TokensSearch) {
  return apiQuery('tokens', '/api/v1/tokens', { query }, { placeholderData: keepPreviousData });
}

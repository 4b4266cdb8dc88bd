import { keepPreviousData } from '@tanstack/react-query';
import { apiQuery } from '../api/api.ts';

/** All service tokens, newest first. */
export function tokensQuery(query: { cursor?: string }) {
  return apiQuery('tokens', '/api/v1/tokens', { query }, { placeholderData: keepPreviousData });
}

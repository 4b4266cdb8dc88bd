import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, apiQuery } from '../api/api.ts';
import type { DeadLettersSearch } from './dead-letters-search.ts';

const REFRESH_MS = 5_000;
const REPLAYING_REFRESH_MS = 1_000;

export type DeadLetterAction = 'replay' | 'discard';

/** Which of the open ones. Without both: all. */
export interface Selection {
  ids?: string[];
  reason?: string;
  /** From a dry run: none that arrived or changed after it. */
  asOf?: string;
}

export function deadLettersQuery({ letter: _letter, ...query }: DeadLettersSearch) {
  const refresh = { refetchInterval: REFRESH_MS, placeholderData: keepPreviousData };
  return apiQuery('dead-letters', '/api/v1/dead-letters', { query }, refresh);
}

/** How many there are, by state. */
export const deadLetterCountsQuery = queryOptions({
  queryKey: ['dead-letters', 'counts'],
  queryFn: async ({ signal }) => {
    const query = { state: 'open', limit: 1 } as const;
    return (await api.get('/api/v1/dead-letters', { params: { query }, signal })).counts;
  },
  refetchInterval: ({ state: { data } }) =>
    data !== undefined && data.replaying > 0 ? REPLAYING_REFRESH_MS : REFRESH_MS,
});

/** One with its payload. */
export function deadLetterQuery(id: string) {
  return apiQuery('dead-letters', '/api/v1/dead-letters/{id}', { path: { id } });
}

/** How many an action would select, and as of when. */
export function dryRunQuery(action: DeadLetterAction, selection: Selection) {
  return queryOptions({
    queryKey: ['dead-letters', 'dry run', action, selection],
    queryFn: () => decide(action, { ...selection, dryRun: true }),
    staleTime: 0,
  });
}

export async function decide(
  action: DeadLetterAction,
  { dryRun = false, ...selection }: Selection & { dryRun?: boolean },
): Promise<{ selected: number; asOf?: string }> {
  return api.post(`/api/v1/dead-letters/${action}`, { body: { dryRun, ...selection } });
}

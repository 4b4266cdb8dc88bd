import { queryOptions } from '@tanstack/react-query';
import { keyService } from '../api/key-service.ts';
import { responseData } from '../api/response-data.ts';
import type { DeadLettersSearch } from './dead-letters-search.ts';

const REFRESH_MS = 5_000;
const REPLAYING_REFRESH_MS = 1_000;

export type DeadLetterAction = 'replay' | 'discard';

/** Which of the open ones. Without both: all. */
export interface Selection {
  ids?: string[];
  reason?: string;
}

export function deadLettersQuery({ letter: _letter, ...query }: DeadLettersSearch) {
  return queryOptions({
    queryKey: ['dead-letters', 'list', query],
    queryFn: ({ signal }) =>
      responseData(keyService.GET('/api/v1/dead-letters', { params: { query }, signal })),
    refetchInterval: REFRESH_MS,
  });
}

/** How many there are, by state. */
export const deadLetterCountsQuery = queryOptions({
  queryKey: ['dead-letters', 'counts'],
  queryFn: async ({ signal }) => {
    const query = { state: 'open', limit: 1 } as const;
    const request = keyService.GET('/api/v1/dead-letters', { params: { query }, signal });
    return (await responseData(request)).counts;
  },
  refetchInterval: ({ state: { data } }) =>
    data !== undefined && data.replaying > 0 ? REPLAYING_REFRESH_MS : REFRESH_MS,
});

/** One with its payload. */
export function deadLetterQuery(id: string) {
  return queryOptions({
    queryKey: ['dead-letters', 'letter', id],
    queryFn: ({ signal }) =>
      responseData(keyService.GET('/api/v1/dead-letters/{id}', { params: { path: { id } }, signal })),
  });
}

/** How many an action would select. */
export function dryRunQuery(action: DeadLetterAction, selection: Selection) {
  return queryOptions({
    queryKey: ['dead-letters', 'dry run', action, selection],
    queryFn: () => decide(action, { ...selection, dryRun: true }),
    staleTime: 0,
  });
}

/** Returns how many were selected. */
export async function decide(
  action: DeadLetterAction,
  { dryRun = false, ...selection }: Selection & { dryRun?: boolean },
): Promise<number> {
  const body = { dryRun, ...selection };
  return (await responseData(keyService.POST(`/api/v1/dead-letters/${action}`, { body }))).selected;
}

import { queryOptions } from '@tanstack/react-query';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';

/** Whether nobody can sign in yet, because there is no account. */
export const setUpQuery = queryOptions({
  queryKey: ['set-up'],
  queryFn: ({ signal }) => answerOf(keyService.GET('/api/v1/setup', { signal })),
});

/** Who is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => answerOf(keyService.GET('/api/v1/session', { signal })),
  staleTime: 60_000,
});

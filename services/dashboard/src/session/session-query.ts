import { queryOptions } from '@tanstack/react-query';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';

/** Who is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => answerOf(keyService.GET('/api/v1/session', { signal })),
  staleTime: 60_000,
});

import { queryOptions } from '@tanstack/react-query';
import { answerOf } from '../api/answer-of.ts';
import { keyService } from '../api/key-service.ts';

/** Where devices send their readings. */
export const addressesQuery = queryOptions({
  queryKey: ['addresses'],
  queryFn: ({ signal }) => answerOf(keyService.GET('/api/v1/addresses', { signal })),
  staleTime: Infinity,
});

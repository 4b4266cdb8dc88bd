import { queryOptions } from '@tanstack/react-query';
import { responseData } from '../api/response-data.ts';
import { keyService } from '../api/key-service.ts';

/** Whether the first account has to be created. */
export const setUpQuery = queryOptions({
  queryKey: ['set-up'],
  queryFn: ({ signal }) => responseData(keyService.GET('/api/v1/setup', { signal })),
  meta: { isBeside: true },
});

/** The current session. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => responseData(keyService.GET('/api/v1/session', { signal })),
  staleTime: 60_000,
  meta: { isBeside: true },
});

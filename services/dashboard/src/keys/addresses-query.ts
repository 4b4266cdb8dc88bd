import { queryOptions } from '@tanstack/react-query';
import { responseData } from '../api/response-data.ts';
import { keyService } from '../api/key-service.ts';

/** The public URL of ingest. */
export const addressesQuery = queryOptions({
  queryKey: ['addresses'],
  queryFn: ({ signal }) => responseData(keyService.GET('/api/v1/ingest-url', { signal })),
  staleTime: Infinity,
  meta: { isBeside: true },
});

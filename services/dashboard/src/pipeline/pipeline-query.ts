import { queryOptions } from '@tanstack/react-query';
import { keyService } from '../api/key-service.ts';
import { responseData } from '../api/response-data.ts';

const STATUS_REFRESH_MS = 5_000;
const REFRESH_MS = 2_000;

/** How far storage is behind, for the top bar. */
export const pipelineStatusQuery = queryOptions({
  queryKey: ['pipeline', 'status'],
  queryFn: ({ signal }) => responseData(keyService.GET('/api/v1/pipeline/status', { signal })),
  refetchInterval: STATUS_REFRESH_MS,
});

export const pipelineQuery = queryOptions({
  queryKey: ['pipeline'],
  queryFn: ({ signal }) => responseData(keyService.GET('/api/v1/pipeline', { signal })),
  refetchInterval: REFRESH_MS,
});

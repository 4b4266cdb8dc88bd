import { apiQuery } from '../api/api.ts';

/** How far storage is behind, for the top bar. */
export const pipelineStatusQuery = apiQuery(
  'pipeline',
  '/api/v1/pipeline/status',
  {},
  { refetchInterval: 5_000 },
);

export const pipelineQuery = apiQuery('pipeline', '/api/v1/pipeline', {}, { refetchInterval: 2_000 });

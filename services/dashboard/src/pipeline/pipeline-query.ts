import { keepPreviousData } from '@tanstack/react-query';
import { apiQuery } from '../api/api.ts';
import { RANGES } from '../overview/ranges.ts';
import type { RangeName } from '../overview/ranges.ts';

/** How far storage is behind, for the top bar. */
export const pipelineStatusQuery = apiQuery(
  'pipeline',
  '/api/v1/pipeline/status',
  {},
  { refetchInterval: 5_000 },
);

/** Rates, delay and lag over time. */
export function pipelineHistoryQuery(range: RangeName) {
  const refresh = { refetchInterval: RANGES[range].refreshMs, placeholderData: keepPreviousData };
  return apiQuery('pipeline', '/api/v1/pipeline/history', { query: { range } }, refresh);
}

/** Replicas report as often. */
export const PIPELINE_REFRESH_MS = 2_000;
export const pipelineQuery = apiQuery(
  'pipeline',
  '/api/v1/pipeline',
  {},
  { refetchInterval: PIPELINE_REFRESH_MS },
);

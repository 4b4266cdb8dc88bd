import { queryOptions } from '@tanstack/react-query';
import { responseData } from '../api/response-data.ts';
import { keyService } from '../api/key-service.ts';
import type { AlertsSearch } from './alerts-search.ts';

/** States change by evaluations, every 30 s by default. */
const REFRESH_MS = 5_000;
const SUMMARY_REFRESH_MS = 15_000;

export function alertRulesQuery(cellar: string) {
  return queryOptions({
    queryKey: ['alerts', cellar, 'rules'],
    queryFn: ({ signal }) =>
      responseData(
        keyService.GET('/api/v1/cellars/{cellar}/alert-rules', { params: { path: { cellar } }, signal }),
      ),
    refetchInterval: REFRESH_MS,
  });
}

export function alertDestinationsQuery(cellar: string, refetchInterval = REFRESH_MS) {
  return queryOptions({
    queryKey: ['alerts', cellar, 'destinations'],
    queryFn: ({ signal }) =>
      responseData(
        keyService.GET('/api/v1/cellars/{cellar}/alert-destinations', {
          params: { path: { cellar } },
          signal,
        }),
      ),
    refetchInterval,
  });
}

export function openAlertsQuery(cellar: string) {
  return queryOptions({
    queryKey: ['alerts', cellar, 'open'],
    queryFn: ({ signal }) =>
      responseData(
        keyService.GET('/api/v1/cellars/{cellar}/alerts', {
          params: { path: { cellar }, query: { state: 'open', limit: 100 } },
          signal,
        }),
      ),
    refetchInterval: REFRESH_MS,
  });
}

/** What has fired, the latest first. */
export function alertHistoryQuery(cellar: string, search: AlertsSearch) {
  return queryOptions({
    queryKey: ['alerts', cellar, 'history', search],
    queryFn: ({ signal }) =>
      responseData(
        keyService.GET('/api/v1/cellars/{cellar}/alerts', {
          params: { path: { cellar }, query: { ...search, state: 'fired', limit: 20 } },
          signal,
        }),
      ),
    refetchInterval: REFRESH_MS,
  });
}

/** How many alerts fire in each cellar of the user. */
export const alertSummaryQuery = queryOptions({
  queryKey: ['alerts', 'summary'],
  queryFn: ({ signal }) => responseData(keyService.GET('/api/v1/alerts/summary', { signal })),
  refetchInterval: SUMMARY_REFRESH_MS,
});

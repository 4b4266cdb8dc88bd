import { keepPreviousData } from '@tanstack/react-query';
import { apiQuery } from '../api/api.ts';

/** States change by evaluations, every 30 s by default. */
const REFRESH = { refetchInterval: 5_000 };

export function alertRulesQuery(cellar: string) {
  return apiQuery('alerts', '/api/v1/cellars/{cellar}/alert-rules', { path: { cellar } }, REFRESH);
}

export function alertDestinationsQuery(cellar: string, refresh = REFRESH) {
  return apiQuery('alerts', '/api/v1/cellars/{cellar}/alert-destinations', { path: { cellar } }, refresh);
}

export function openAlertsQuery(cellar: string) {
  const query = { state: 'open', limit: 100 } as const;
  return apiQuery('alerts', '/api/v1/cellars/{cellar}/alerts', { path: { cellar }, query }, REFRESH);
}

/** What has fired, the latest first. */
export function alertHistoryQuery(cellar: string, search: { cursor?: string }) {
  const query = { ...search, state: 'fired', limit: 20 } as const;
  const refresh = { ...REFRESH, placeholderData: keepPreviousData };
  return apiQuery('alerts', '/api/v1/cellars/{cellar}/alerts', { path: { cellar }, query }, refresh);
}

/** How many alerts fire in each cellar of the user. */
export const alertSummaryQuery = apiQuery(
  'alerts',
  '/api/v1/alerts/summary',
  {},
  { refetchInterval: 15_000 },
);

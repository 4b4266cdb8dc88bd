import { apiQuery } from '../api/api.ts';

/** Whether the first account has to be created. */
export const setUpQuery = apiQuery('set-up', '/api/v1/setup', {}, { meta: { isBeside: true } });

/** The current session. */
export const sessionQuery = apiQuery(
  'session',
  '/api/v1/session',
  {},
  { staleTime: 60_000, meta: { isBeside: true } },
);

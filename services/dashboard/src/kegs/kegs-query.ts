import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/api.ts';

/** The most that the service returns at a time, and as many as can have settings. */
const MOST_KEGS = 1_000;

/** The kegs that a cellar has sent, by name. */
export function kegsQuery(cellar: string) {
  return queryOptions({
    queryKey: ['sent kegs', cellar],
    queryFn: async ({ signal }) => {
      const params = { path: { cellar }, query: { limit: MOST_KEGS } };
      return (await api.get('/api/v1/query/cellars/{cellar}/kegs', { params, signal })).kegs;
    },
    staleTime: 60_000,
  });
}

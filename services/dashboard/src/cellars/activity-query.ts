import { queryOptions } from '@tanstack/react-query';
import { responseData } from '../api/response-data.ts';
import { query } from '../api/query.ts';
import type { Activity } from './activity.ts';

const REFRESH_MS = 30_000;

/** The activity of each cellar. A cellar without readings is not in it. */
export const activityQuery = queryOptions({
  queryKey: ['activity'],
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, Activity>> => {
    const { cellars } = await responseData(query.GET('/api/v1/query/cellars', { signal }));
    return new Map(cellars.map((activity) => [activity.cellar, activity]));
  },
  refetchInterval: REFRESH_MS,
});

import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/api.ts';

export interface Activity {
  readingsLastHour: number;
  lastReadingAt: string | null;
  silentRacks: number;
  /** Readings by the hour, the oldest first. */
  hours: readonly number[];
}

export const NO_ACTIVITY: Activity = { readingsLastHour: 0, lastReadingAt: null, silentRacks: 0, hours: [] };

/** Rarely: it has a day of all cellars, and a stream of all of them would poll ClickHouse for each. */
export const ACTIVITY_REFRESH_MS = 30_000;

/** The activity of each cellar. A cellar without readings is not in it. */
export const activityQuery = queryOptions({
  queryKey: ['activity'],
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, Activity>> => {
    const { cellars } = await api.get('/api/v1/query/cellars', { signal });
    return new Map(cellars.map((activity) => [activity.cellar, activity]));
  },
  refetchInterval: ACTIVITY_REFRESH_MS,
});

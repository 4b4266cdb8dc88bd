import { queryOptions } from '@tanstack/react-query';
import { answerOf } from '../api/answer-of.ts';
import { query } from '../api/query.ts';

const REFRESH_MS = 30_000;

export interface Activity {
  readingsLastHour: number;
  lastReadingAt: string | null;
}

/** What arrives in each cellar. A cellar that is not in it has no reading. */
export const activityQuery = queryOptions({
  queryKey: ['activity'],
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, Activity>> => {
    const { cellars } = await answerOf(query.GET('/api/v1/query/cellars', { signal }));
    return new Map(cellars.map((activity) => [activity.cellar, activity]));
  },
  refetchInterval: REFRESH_MS,
});

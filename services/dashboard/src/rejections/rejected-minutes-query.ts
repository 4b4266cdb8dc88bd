import { queryOptions } from '@tanstack/react-query';
import { keyService } from '../api/key-service.ts';
import { responseData } from '../api/response-data.ts';

/** Ingest reports rejections every two seconds. */
const REFRESH_MS = 5_000;

/** Rejections of the last minutes: a count for each minute, key, reason and field. */
export function rejectedMinutesQuery(cellar: string) {
  return queryOptions({
    queryKey: ['rejected minutes', cellar],
    queryFn: async ({ signal }) => {
      const params = { path: { cellar }, query: { minutes: 15, limit: 50 } };
      const { rejections } = await responseData(
        keyService.GET('/api/v1/cellars/{cellar}/rejections/minutes', { params, signal }),
      );
      return rejections;
    },
    refetchInterval: REFRESH_MS,
  });
}

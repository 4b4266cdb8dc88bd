import { queryOptions } from '@tanstack/react-query';
import { query } from '../api/query.ts';
import { responseData } from '../api/response-data.ts';
import type { paths } from '../api/generated/query.ts';

export type Verification =
  paths['/api/v1/query/cellars/{cellar}/verification']['get']['responses'][200]['content']['application/json'];
export type VerifiedHour = Verification['hours'][number];

/** The sink checks an hour at most every few minutes. */
const REFRESH_MS = 30_000;

/** The last 24 completed hours, and what the comparison of the topic with ClickHouse found. */
export function verificationQuery(cellar: string) {
  return queryOptions({
    queryKey: ['verification', cellar],
    queryFn: ({ signal }) =>
      responseData(
        query.GET('/api/v1/query/cellars/{cellar}/verification', { params: { path: { cellar } }, signal }),
      ),
    refetchInterval: REFRESH_MS,
  });
}

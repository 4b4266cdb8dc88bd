import { apiQuery } from '../api/api.ts';
import type { paths } from '../api/generated/query.ts';

export type Verification =
  paths['/api/v1/query/cellars/{cellar}/verification']['get']['responses'][200]['content']['application/json'];
export type VerifiedHour = Verification['hours'][number];

/** The sink checks an hour at most every few minutes. */
const REFRESH = { refetchInterval: 30_000 };

/** The last 24 completed hours, and what the comparison of the topic with ClickHouse found. */
export function verificationQuery(cellar: string) {
  const params = { path: { cellar } };
  return apiQuery('verification', '/api/v1/query/cellars/{cellar}/verification', params, REFRESH);
}

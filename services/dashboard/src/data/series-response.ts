import type { paths } from '../api/generated/query.ts';

type Series = paths['/api/v1/query/cellars/{cellar}/series']['get'];

/** What the request for the series has in its query string. */
export type SeriesParams = Series['parameters']['query'];
export type SeriesResponse = Series['responses'][200]['content']['application/json'];

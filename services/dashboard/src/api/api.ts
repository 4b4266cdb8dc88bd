import { queryOptions } from '@tanstack/react-query';
import type { keepPreviousData, QueryMeta } from '@tanstack/react-query';
import createClient from 'openapi-fetch';
import type { ClientPathsWithMethod, FetchOptions, MethodResponse } from 'openapi-fetch';
import type { paths as KeyServicePaths } from './generated/key-service.ts';
import type { paths as QueryPaths } from './generated/query.ts';
import { createMarkBackground } from './mark-background.ts';
import { responseData } from './response-data.ts';
import type { FetchResult } from './response-data.ts';

type Paths = KeyServicePaths & QueryPaths;
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type PathWith<Of extends Method> = ClientPathsWithMethod<typeof client, Of>;
type Options<Path extends keyof Paths, Of extends Method> = FetchOptions<Paths[Path][Of & keyof Paths[Path]]>;
type Body<Path extends PathWith<Of>, Of extends Method> = MethodResponse<typeof client, Of, Path>;
/** An argument that can be left out if nothing in it is required. */
type Argument<Value> = Partial<Value> extends Value ? [Value?] : [Value];

/** The management API and the read API, both on the origin of the page. */
export const client = createClient<Paths>({ baseUrl: window.location.origin });
client.use(createMarkBackground());

/** Requests that resolve with the body of the response. They reject with an `ApiError`. */
export const api = {
  get: requests('get'),
  post: requests('post'),
  put: requests('put'),
  patch: requests('patch'),
  delete: requests('delete'),
};

function requests<Of extends Method>(method: Of) {
  const send = client.request as (...request: unknown[]) => Promise<FetchResult<never>>;
  return <Path extends PathWith<Of>>(
    path: Path,
    ...options: Argument<Options<Path, Of>>
  ): Promise<Body<Path, Of>> => responseData(send(method, path, ...options));
}

export interface Refresh {
  refetchInterval?: number;
  staleTime?: number;
  /** The previous page stays visible while another one loads. */
  placeholderData?: typeof keepPreviousData;
  meta?: QueryMeta;
}

/** @param topic the first part of the key: changes invalidate all queries of their topics */
export function apiQuery<Path extends PathWith<'get'>>(
  topic: string,
  path: Path,
  params: NonNullable<Options<Path, 'get'>['params']>,
  options: Refresh = {},
) {
  const get = api.get as (path: Path, options: object) => Promise<Body<Path, 'get'>>;
  return queryOptions({
    queryKey: [topic, path, params],
    queryFn: ({ signal }) => get(path, { params, signal }),
    ...options,
  });
}

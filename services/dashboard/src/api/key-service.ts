import createClient from 'openapi-fetch';
import type { paths } from './generated/key-service.ts';

/** The management API, on the origin that the page comes from. */
export const keyService = createClient<paths>({ baseUrl: window.location.origin });

type Answer<Path extends keyof paths, Method extends keyof paths[Path]> = paths[Path][Method] extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

export type Cellar = Answer<'/api/v1/cellars/{cellar}', 'get'>;
export type Key = Answer<'/api/v1/cellars/{cellar}/keys/{id}', 'get'>;
export type RateLimit = NonNullable<Key['rateLimit']>;

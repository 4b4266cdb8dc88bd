import createClient from 'openapi-fetch';
import type { Client } from 'openapi-fetch';
import type { paths } from '@cellarman/dashboard/key-service-api';
import type { Context } from '../context.ts';
import { createRetryingFetch } from './retrying-fetch.ts';

export type KeyService = Client<paths>;

type Keys = paths['/api/v1/cellars/{cellar}/keys'];

export type Cellar =
  paths['/api/v1/cellars']['get']['responses'][200]['content']['application/json']['cellars'][number];
export type Key = Keys['get']['responses'][200]['content']['application/json']['keys'][number];
export type ClaimCode =
  paths['/api/v1/cellars/{cellar}/claim-codes']['get']['responses'][200]['content']['application/json']['claimCodes'][number];
export type KeyWithSecret = Keys['post']['responses'][201]['content']['application/json'];
export type NewKey = NonNullable<Keys['post']['requestBody']>['content']['application/json'];

/** Short, because a person waits for the response. */
const GIVE_UP_AFTER_MS = 10_000;

/** The management API, with a service token. */
export function connectKeyService(context: Context, giveUpAfterMs = GIVE_UP_AFTER_MS): KeyService {
  const { settings, interrupted } = context;
  return createClient<paths>({
    baseUrl: settings.keyServiceUrl(),
    headers: { authorization: `Bearer ${settings.token()}` },
    fetch: createRetryingFetch({ giveUpAfterMs, stop: interrupted }),
  });
}

/** All rows of a list, page by page. */
export async function* pagesOf<Page extends { nextCursor: string | null }>(
  ask: (cursor: { cursor?: string }) => Promise<Page>,
): AsyncGenerator<Page, void, undefined> {
  let page = await ask({});
  yield page;
  while (page.nextCursor !== null) {
    page = await ask({ cursor: page.nextCursor });
    yield page;
  }
}

export const PAGE_SIZE = 200;

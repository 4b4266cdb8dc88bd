import createClient from 'openapi-fetch';
import type { paths } from '@cellarman/dashboard/query-api';
import type { Context } from '../context.ts';
import { createRetryingFetch } from './retrying-fetch.ts';

const GIVE_UP_AFTER_MS = 10_000;

/** Reads readings back, with an API key that has the scope `read`. */
export function connectQuery({ settings, interrupted }: Context) {
  return createClient<paths>({
    baseUrl: settings.queryUrl(),
    headers: { 'x-api-key': settings.apiKey() },
    fetch: createRetryingFetch({ giveUpAfterMs: GIVE_UP_AFTER_MS, stop: interrupted }),
  });
}

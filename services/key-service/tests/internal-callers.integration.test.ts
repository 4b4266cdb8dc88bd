import {
  CHANGES_PATH,
  DEAD_LETTERS_PATH,
  INGEST_HEALTH_PATH,
  KEG_UNITS_PATH,
  LAST_USED_PATH,
  LOOKUP_PATH,
  REJECTIONS_PATH,
  REPLAYS_PATH,
  RETENTION_PATH,
  SESSION_LOOKUP_PATH,
  SINK_HEALTH_PATH,
} from '@cellarman/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

const TOKENS = {
  ingest: 'the-token-of-ingest',
  query: 'the-token-of-query',
  sink: 'the-token-of-the-sink',
} as const;
const OLD_INGEST = 'the-old-token-of-ingest';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startServiceUnderTest({
    INTERNAL_TOKEN: '',
    INGEST_TOKEN: `${TOKENS.ingest},${OLD_INGEST}`,
    QUERY_TOKEN: TOKENS.query,
    SINK_TOKEN: TOKENS.sink,
  });
});
afterAll(() => service.stop());

const call = async (method: string, path: string, token: string, body?: object) =>
  service.anonymous.call(method, path, body, { authorization: `Bearer ${token}` });

const hashes = ['a'.repeat(64)];
const ROUTES: [method: string, path: string, body: object | undefined, callers: (keyof typeof TOKENS)[]][] = [
  ['POST', LOOKUP_PATH, { hashes }, ['ingest', 'query']],
  ['GET', `${CHANGES_PATH}?after=-1`, undefined, ['ingest']],
  ['POST', LAST_USED_PATH, { uses: [] }, ['ingest', 'query']],
  ['POST', REJECTIONS_PATH, {}, ['ingest']],
  ['GET', `${REJECTIONS_PATH}?cellar=demo`, undefined, ['query']],
  ['GET', RETENTION_PATH, undefined, ['sink']],
  ['POST', INGEST_HEALTH_PATH, {}, ['ingest']],
  ['POST', SINK_HEALTH_PATH, {}, ['sink']],
  ['POST', DEAD_LETTERS_PATH, {}, ['sink']],
  ['GET', REPLAYS_PATH, undefined, ['sink']],
  ['POST', REPLAYS_PATH, {}, ['sink']],
  ['GET', `${KEG_UNITS_PATH}?cellar=demo`, undefined, ['query']],
  ['POST', SESSION_LOOKUP_PATH, { id: 'x' }, ['query']],
];

describe.each(ROUTES)('%s %s', (method, path, body, callers) => {
  test.each(Object.keys(TOKENS) as (keyof typeof TOKENS)[])('and the token of %s', async (caller) => {
    const { status, body: answer } = await call(method, path, TOKENS[caller], body);
    // Whether the body is valid does not matter here.
    if (callers.includes(caller)) expect([401, 403]).not.toContain(status);
    else expect({ status, answer }).toMatchObject({ status: 403, answer: { code: 'forbidden' } });
  });
});

test('every internal route of the API is in the table above', async () => {
  const { body } = await service.admin.call<{ paths: Record<string, object> }>('GET', '/api/v1/openapi.json');
  const documented = Object.keys(body.paths).filter((path) => path.startsWith('/internal/'));
  expect(documented.toSorted()).toEqual(
    [...new Set(ROUTES.map(([, path]) => path.replace(/\?.*/, '')))].toSorted(),
  );
});

describe('a token that is rotated', () => {
  test('counts beside the new one', async () => {
    expect(await call('GET', `${CHANGES_PATH}?after=-1`, OLD_INGEST)).toMatchObject({ status: 200 });
    expect(await call('GET', RETENTION_PATH, OLD_INGEST)).toMatchObject({ status: 403 });
  });

  test('does not count together with it', async () => {
    const both = `${TOKENS.ingest},${OLD_INGEST}`;
    expect(await call('GET', `${CHANGES_PATH}?after=-1`, both)).toMatchObject({ status: 401 });
  });
});

describe('the configuration', () => {
  const load = (tokens: Record<string, string>) => () =>
    loadConfig({ DATABASE_URL: 'postgres://a@b/c', REDIS_URL: 'redis://a', ...tokens });
  const own = { INGEST_TOKEN: TOKENS.ingest, QUERY_TOKEN: TOKENS.query, SINK_TOKEN: TOKENS.sink };

  test('needs a token for each caller, or the shared one', () => {
    expect(load(own)).not.toThrow();
    expect(load({ INTERNAL_TOKEN: 'a-token-of-all-callers' })).not.toThrow();
    expect(load({ ...own, SINK_TOKEN: '' })).toThrow('SINK_TOKEN is missing');
  });

  test('rejects short tokens and equal ones, and shows none', () => {
    expect(load({ ...own, QUERY_TOKEN: `${TOKENS.query},short` })).toThrow(/QUERY_TOKEN .*the given secret/);
    expect(load({ ...own, QUERY_TOKEN: TOKENS.ingest })).toThrow('must be different');
    expect(load({ ...own, INTERNAL_TOKEN: TOKENS.sink })).toThrow(/must be different$/);
  });
});

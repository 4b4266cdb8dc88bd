import { createReadiness } from '@cellarman/lifecycle';
import { createLogger } from '@cellarman/telemetry';
import type { KeyRecord, SessionRecord } from '@cellarman/contracts';
import { generateApiKey, hashApiKey } from '@cellarman/api-key';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../src/app.ts';
import type { Statement } from '../src/clickhouse/select.ts';
import { withoutBounds } from './without-bounds.ts';
import { keyRecord } from '../../../libs/key-service-client/tests/key-record.ts';

/** No engine is needed to see who is let in, and what a rejection looks like. The statements are only written down. */
const NOW = new Date('2026-11-21T12:00:00Z');
const apiKey = generateApiKey();
const KEY = keyRecord({ id: 'k1', hash: hashApiKey(apiKey), scopes: ['read'] });
const SESSION: SessionRecord = {
  administrator: { id: 'a1', email: 'a@example.com', role: 'owner', cellars: null },
  endsAt: '2026-11-22T00:00:00Z',
};

const state: { key: KeyRecord | null; session: SessionRecord | null; asked: Statement[] } = {
  key: KEY,
  session: SESSION,
  asked: [],
};
const log: string[] = [];
let app: FastifyInstance;
beforeAll(async () => {
  app = await createApp({
    keyService: {
      findKey: async (hash) => (hash === KEY.hash ? state.key : null),
      findSession: async (id) => (id === 'live' ? state.session : null),
      kegUnits: async () => [],
      lastRejection: async () => null,
    },
    ...withoutBounds,
    selectAs: () => ({
      rows: async (statement) => {
        state.asked.push(statement);
        return [];
      },
      lines: () => Promise.reject(new Error('a secret detail')),
    }),
    clock: () => NOW,
    readiness: createReadiness({ parts: ['clickhouse'] }),
    metricsText: async () => 'up 1\n',
    logger: createLogger(
      { service: 'test', version: '0', level: 'info' },
      { write: (line) => void log.push(line) },
    ),
  });
});
afterAll(() => app.close());

const LATEST = '/api/v1/query/cellars/demo/latest';
async function ask(url: string, headers: Record<string, string> = { 'x-api-key': apiKey }) {
  state.asked = [];
  const answer = await app.inject({ url, headers });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json<Record<string, unknown>>() };
}
const rejection = (code: string, error: unknown = expect.any(String)) => ({ status: 'error', error, code });
async function withKey(change: Partial<KeyRecord>, url = LATEST) {
  state.key = { ...KEY, ...change };
  return ask(url).finally(() => (state.key = KEY));
}

describe('who may read', () => {
  test('a key with the scope read, its own cellar', async () => {
    expect(await ask(LATEST)).toMatchObject({ status: 200, body: { series: [], nextCursor: null } });
    expect(await ask('/api/v1/query/cellars/other/latest')).toMatchObject({
      status: 403,
      body: rejection('cellar_mismatch'),
    });
    expect(state.asked).toEqual([]);
    expect(await ask('/api/v1/query/cellars')).toMatchObject({ status: 403, body: rejection('forbidden') });
  });

  test.each([
    ['without a key', {}, 401, 'unauthenticated', 'API key is required'],
    ['with an empty key', { 'x-api-key': '' }, 401, 'unauthenticated', 'API key is required'],
    ['with an unknown key', { 'x-api-key': generateApiKey() }, 401, 'unauthenticated', 'Invalid API key'],
    ['with something else', { 'x-api-key': 'x' }, 401, 'unauthenticated', 'Invalid API key'],
    ['with two keys', { 'x-api-key': `${apiKey}, ${apiKey}` }, 401, 'unauthenticated', 'Invalid API key'],
    ['signed out', { cookie: 'cellarman-session=gone' }, 401, 'unauthenticated', 'Not signed in'],
  ])('nobody %s', async (_case, headers, status, code, error) => {
    expect(await ask(LATEST, headers as Record<string, string>)).toMatchObject({
      status,
      body: rejection(code, error),
    });
    expect(state.asked).toEqual([]);
  });

  test('no key that is revoked, expired, or only sends', async () => {
    const past = '2026-11-21T11:59:59.999Z';
    expect(await withKey({ revokedAt: past })).toMatchObject({
      status: 401,
      body: rejection('unauthenticated', 'Invalid API key'),
    });
    for (const expiresAt of [past, NOW.toISOString(), 'nonsense']) {
      expect(await withKey({ expiresAt })).toMatchObject({
        status: 401,
        body: rejection('unauthenticated', 'API key has expired'),
      });
    }
    expect((await withKey({ expiresAt: '2026-11-21T12:00:00.001Z' })).status).toBe(200);
    expect(await withKey({ scopes: ['ingest'] })).toMatchObject({
      status: 403,
      body: rejection('insufficient_scope'),
    });
  });

  test('a person, the cellars that were granted', async () => {
    for (const name of ['__Host-cellarman-session', 'cellarman-session']) {
      expect((await ask(LATEST, { cookie: `${name}=live` })).status).toBe(200);
    }
    // The name that only this host can have written goes first.
    const both = 'cellarman-session=live; __Host-cellarman-session=gone';
    expect((await ask(LATEST, { cookie: both })).status).toBe(401);

    state.session = {
      ...SESSION,
      administrator: { ...SESSION.administrator, role: 'member', cellars: ['demo'] },
    };
    const cookie = 'cellarman-session=live';
    expect((await ask(LATEST, { cookie })).status).toBe(200);
    expect(await ask('/api/v1/query/cellars/other/latest', { cookie })).toMatchObject({
      status: 404,
      body: rejection('not_found'),
    });
    await ask('/api/v1/query/cellars', { cookie });
    expect(state.asked[0]?.params).toMatchObject({ cellars: ['demo'] });
    state.session = SESSION;
  });
});

describe('a key with a rack or a prefix', () => {
  const ROUTES = [...['latest', 'racks', 'kegs', 'overview', 'counts', 'readings'], 'series?rack=a-1&keg=k'];
  test.each(ROUTES)('limits every statement of %s', async (route) => {
    const url = `/api/v1/query/cellars/demo/${route}`;
    for (const [limit, condition, params] of [
      [{ rack: 'a-1' }, 'rack = {onlyRack: String}', { onlyRack: 'a-1' }],
      [{ rackPrefix: 'a-' }, 'startsWith(rack, {rackPrefix: String})', { rackPrefix: 'a-' }],
    ] as const) {
      await withKey(limit, url);
      expect(state.asked.length).toBeGreaterThan(0);
      for (const statement of state.asked) {
        expect(statement.sql).toContain(condition);
        expect(statement.params).toMatchObject(params);
      }
    }
  });

  test('gets a 403 of verification, which covers whole cellars', async () => {
    for (const limit of [{ rack: 'a-1' }, { rackPrefix: 'a-' }]) {
      const answer = await withKey(limit, '/api/v1/query/cellars/demo/verification');
      expect(answer).toMatchObject({ status: 403, body: rejection('rack_mismatch') });
      expect(state.asked).toEqual([]);
    }
  });

  test.each(['latest', 'readings', 'series'])('gets a 403 of %s for another rack', async (route) => {
    const url = `/api/v1/query/cellars/demo/${route}?keg=k&rack=b-1`;
    for (const limit of [{ rack: 'b-' }, { rack: 'B-1' }, { rackPrefix: 'a-' }]) {
      expect(await withKey(limit, url)).toMatchObject({ status: 403, body: rejection('rack_mismatch') });
      expect(state.asked).toEqual([]);
    }
  });

  test('gets a 403 of series with one rack of others among its own', async () => {
    const url = '/api/v1/query/cellars/demo/series?keg=k&rack=a-1&rack=b-1';
    expect(await withKey({ rackPrefix: 'a-' }, url)).toMatchObject({
      status: 403,
      body: rejection('rack_mismatch'),
    });
    expect(state.asked).toEqual([]);
  });
});

describe('rejections', () => {
  test.each([
    ['latest?limit=0', 'limit'],
    ['latest?limit=10001', 'limit'],
    ['latest?limit=1.5', 'limit'],
    ['latest?limit=1&limit=2', 'limit'],
    ['latest?unknown=1', 'additional'],
    ['latest?rack=', 'rack'],
    ['latest?rack=%00', 'rack'],
    ['latest?cursor=x', 'cursor'],
    ['latest?cursor=WyJhIl0', 'cursor'],
    ['counts?step=61', 'step'],
    ['counts?from=yesterday', 'from'],
    ['counts?from=2026-11-21T12:00:00%2B01:00', 'from'],
    ['counts?from=2026-11-21T12:00:00Z&to=2026-11-21T12:00:00Z', 'from must be before to'],
    ['counts?from=2026-11-01T00:00:00Z', 'buckets'],
    ['racks?sort=kegs', 'sort'],
    ['racks?cursor=WyJsYXN0U2VlbkF0IiwiYXNjIiwieCIsInIiXQ', 'cursor'],
    ['racks?sort=lastSeenAt&cursor=WyJsYXN0U2VlbkF0IiwiYXNjIiwieCIsInIiXQ', 'cursor'],
    ['series?rack=r', 'keg'],
    ['series?keg=k', 'rack'],
    ['series?rack=r&rack=r&keg=k', 'rack'],
    ['series?rack=&keg=k', 'rack'],
    [`series?keg=k&${Array.from({ length: 9 }, (_, index) => `rack=r${index}`).join('&')}`, 'rack'],
    ['series?rack=r&rack=s&rack=t&keg=a&keg=b&keg=c', 'series'],
    ['series?rack=r&keg=k&points=1', 'points'],
    ['series?rack=r&keg=k&from=2026-02-30T00:00:00Z', 'from'],
    ['readings?limit=10001', 'limit'],
    ['readings?format=xml', 'format'],
    ['verification?from=2026-02-30T00:00:00Z', 'from'],
    ['verification?from=2096-01-01T00:00:00Z', 'from must be before to'],
    ['verification?from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z', '744 hours'],
    ['readings?cursor=WyJhc2MiLCJyIiwiayIsIjIwMjYtMTEtMjFUMTI6MDA6MDBaIiwiIl0', 'cursor'],
  ])('%s: 400 that names %s', async (path, named) => {
    const answer = await ask(`/api/v1/query/cellars/demo/${path}`);
    expect(answer).toMatchObject({ status: 400, body: rejection('invalid_request') });
    expect(answer.body['error']).toContain(named);
    expect(state.asked).toEqual([]);
  });

  test.each([
    ['GET', '/', 404, 'not_found'],
    ['GET', '/api/v1/query/cellars/demo', 404, 'not_found'],
    ['GET', '/api/v1/query/cellars/demo/latest/', 404, 'not_found'],
    ['POST', LATEST, 405, 'method_not_allowed'],
    ['DELETE', '/api/v1/query/cellars', 405, 'method_not_allowed'],
  ] as const)('%s %s: %i %s', async (method, url, status, code) => {
    const answer = await app.inject({ method, url });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toEqual(rejection(code));
  });

  test('an internal error is logged and not returned', async () => {
    log.length = 0;
    const answer = await ask('/api/v1/query/cellars/demo/readings?format=csv');
    expect(answer).toMatchObject({ status: 500, body: rejection('internal_error') });
    expect(JSON.stringify(answer.body)).not.toContain('secret');
    expect(log.join()).toContain('a secret detail');
    expect(log.join()).not.toContain(apiKey);
  });

  test('a request that a proxy could read otherwise', async () => {
    const answer = await app.inject({ url: LATEST, headers: { 'x-api-key': apiKey, host: 'a, b' } });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual(rejection('invalid_request'));
  });
});

describe('responses', () => {
  test('are kept by nobody and taken for nothing else', async () => {
    for (const answer of [await ask(LATEST), await ask(LATEST, {})]) {
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
    }
  });
});

describe('OpenAPI', () => {
  interface Operation {
    tags?: string[];
    summary?: string;
    responses: Record<string, unknown>;
  }

  test('says of each route what it is for, and how it fails', async () => {
    const document = (await app.inject('/api/v1/query/openapi.json')).json<{
      paths: Record<string, Record<string, Operation>>;
    }>();
    const routes = Object.entries(document.paths).filter(([path]) => path.startsWith('/api/'));
    expect(routes.map(([path]) => path).toSorted()).toEqual([
      '/api/v1/query/cellars',
      ...[
        ...['counts', 'kegs', 'keys/{keyId}/usage', 'latest', 'live', 'overview', 'rack', 'rack/keys'],
        ...['racks', 'reading', 'readings', 'series', 'verification'],
      ].map((name) => `/api/v1/query/cellars/{cellar}/${name}`),
    ]);
    for (const [path, { get, ...others }] of routes) {
      expect(others, path).toEqual({});
      expect(get?.tags, path).toHaveLength(1);
      expect(get?.summary, path).toMatch(/^[A-Z].*\.$/);
      expect(Object.keys(get?.responses ?? {}), path).toEqual(
        expect.arrayContaining(['200', '401', '403', '500', '503']),
      );
    }
  });
});

import { connect } from 'node:net';
import { createLogger } from '@cellarman/telemetry';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../src/app.ts';
import { TOKEN, WITHOUT_ENGINES } from './without-engines.ts';

const log: string[] = [];
let app: FastifyInstance;
/** Routes that are not in OpenAPI. */
const hidden = new Set<string>();
const PROTECTED = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};
beforeAll(async () => {
  app = await createApp({
    ...WITHOUT_ENGINES,
    logger: createLogger(
      { service: 'test', version: '0', level: 'info' },
      { write: (line) => void log.push(line) },
    ),
    observe: (observed) =>
      observed.addHook('onRoute', ({ url, schema }) => {
        if (schema?.hide === true || schema === undefined) hidden.add(url);
      }),
  });
});
afterAll(() => app.close());

describe('rejections', () => {
  test.each([
    ['GET', '/', 404, 'not_found'],
    ['GET', '/api/v1/cellars/a/b/c', 404, 'not_found'],
    ['GET', '/api/v1/cellarsx', 404, 'not_found'],
    ['GET', '/%zz', 404, 'not_found'],
    ['GET', `/api/v1/cellars/${'x'.repeat(300)}`, 404, 'not_found'],
    ['PUT', '/api/v1/cellars', 405, 'method_not_allowed'],
    ['DELETE', '/api/v1/cellars/demo', 405, 'method_not_allowed'],
    ['GET', '/internal/v1/keys/look-up', 405, 'method_not_allowed'],
  ] as const)('%s %s: %i %s', async (method, url, status, code) => {
    const answer = await app.inject({ method, url });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json()).toEqual({ status: 'error', error: expect.any(String) as string, code });
  });

  test.each([
    ['GET', '/%6Detrics'],
    ['GET', '/live%7A'],
    ['GET', '/ready%7a?x=1'],
    ['HEAD', '/%6Detrics'],
    ['GET', '/%69nternal/v1/retention'],
    ['POST', '/%69nternal/v1/keys/look-up'],
  ] as const)('%s %s: 404, as a proxy in front may keep only the plain path inside', async (method, url) => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const payload = method === 'POST' ? { payload: { hashes: [] } } : {};
    const answer = await app.inject({ method, url, headers, ...payload });
    expect(answer.statusCode).toBe(404);
    expect((await app.inject({ url: '/metrics?x=1' })).body).toBe('up 1\n');
  });

  test.each(['/%zz', '/nothing', '/api/v1/cellars'])('%s is protected in a browser', async (url) => {
    expect((await app.inject({ url })).headers).toMatchObject(PROTECTED);
  });

  test('405 says what is allowed', async () => {
    const answer = await app.inject({ method: 'PUT', url: '/api/v1/cellars?x=1' });
    expect(answer.headers['allow']).toBe('POST, GET, HEAD');
  });

  test.each([
    ['no JSON', '{"email"', 'application/json', 400, 'invalid_json'],
    ['another type', 'email=x', 'text/plain', 415, 'unsupported_media_type'],
    ['no type', '{}', undefined, 415, 'unsupported_media_type'],
    ['no body', '', 'application/json', 400, 'invalid_request'],
    ['too much', JSON.stringify({ email: 'x'.repeat(70_000) }), 'application/json', 413, 'payload_too_large'],
  ])('%s', async (_case, payload, type, status, code) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    const answer = await app.inject({ method: 'POST', url: '/api/v1/session', headers, payload });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toEqual({ status: 'error', error: expect.any(String) as string, code });
  });

  test('an internal error is logged and not returned', async () => {
    log.length = 0;
    const answer = await app.inject({
      url: '/internal/v1/retention',
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      status: 'error',
      error: 'Internal error. It has been logged',
      code: 'internal_error',
    });
    expect(log.join()).toContain('a secret detail');
    expect(log.join()).not.toContain(TOKEN);
  });

  test('what is no HTTP is rejected in the same shape', async () => {
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
    const answer = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('end', () => resolve(text)).on('error', reject);
    });
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(
      Object.fromEntries(
        head
          .split('\r\n')
          .slice(1)
          .map((line) => line.toLowerCase().split(': ')),
      ),
    ).toMatchObject(PROTECTED);
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(body)).toMatchObject({ status: 'error', code: 'invalid_request' });
  });
});

describe('probes', () => {
  test('report that the process lives, what it waits for, and its metrics', async () => {
    expect((await app.inject('/livez')).json()).toEqual({ status: 'alive' });
    const ready = await app.inject('/readyz');
    expect(ready.statusCode).toBe(503);
    expect(ready.json()).toEqual({ ready: false, parts: { postgres: { ready: false, reason: 'starting' } } });
    expect((await app.inject('/metrics')).body).toBe('up 1\n');
  });
});

test('only these routes are not in OpenAPI: they sign nobody in, and query authenticates what goes on to it', () => {
  expect([...hidden].toSorted()).toEqual(['/api/v1/openapi.json', '/api/v1/query/*', '/assets/*']);
});

describe('OpenAPI', () => {
  interface Operation {
    tags?: string[];
    summary?: string;
    responses: Record<string, { content?: unknown }>;
  }

  test('says of each route what it is for, and how it fails', async () => {
    const document = (await app.inject('/api/v1/openapi.json')).json<{
      paths: Record<string, Record<string, Operation>>;
    }>();
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ route: `${method} ${path}`, operation })),
    );
    expect(operations.map(({ route }) => route).toSorted()).toEqual(ROUTES);
    for (const { route, operation } of operations) {
      expect(operation.tags, route).toHaveLength(1);
      expect(operation.summary, route).toMatch(/^[A-Z].*\.$/);
      if (!operation.tags?.includes('operations'))
        expect(Object.keys(operation.responses), route).toContain('500');
    }
  });
});

const ROUTES = [
  'delete /api/v1/cellars/{cellar}/alert-destinations/{id}',
  'delete /api/v1/cellars/{cellar}/alert-rules/{id}',
  'delete /api/v1/cellars/{cellar}/kegs',
  'delete /api/v1/invitations/{id}',
  'delete /api/v1/session',
  'delete /api/v1/sessions',
  'delete /api/v1/sessions/{id}',
  'get /api/v1/alerts/summary',
  'get /api/v1/audit',
  'get /api/v1/audit.csv',
  'get /api/v1/cellars',
  'get /api/v1/cellars/{cellar}',
  'get /api/v1/cellars/{cellar}/alert-destinations',
  'get /api/v1/cellars/{cellar}/alert-rules',
  'get /api/v1/cellars/{cellar}/alerts',
  'get /api/v1/cellars/{cellar}/audit',
  'get /api/v1/cellars/{cellar}/audit.csv',
  'get /api/v1/cellars/{cellar}/claim-codes',
  'get /api/v1/cellars/{cellar}/kegs',
  'get /api/v1/cellars/{cellar}/keys',
  'get /api/v1/cellars/{cellar}/keys/{id}',
  'get /api/v1/cellars/{cellar}/rejections',
  'get /api/v1/cellars/{cellar}/rejections/counts',
  'get /api/v1/cellars/{cellar}/rejections/minutes',
  'get /api/v1/dead-letters',
  'get /api/v1/dead-letters/{id}',
  'get /api/v1/ingest-url',
  'get /api/v1/invitations',
  'get /api/v1/pipeline',
  'get /api/v1/pipeline/history',
  'get /api/v1/pipeline/status',
  'get /api/v1/rejections/unauthenticated',
  'get /api/v1/session',
  'get /api/v1/sessions',
  'get /api/v1/setup',
  'get /api/v1/tokens',
  'get /api/v1/users',
  'get /internal/v1/changes',
  'get /internal/v1/dead-letters/replays',
  'get /internal/v1/keg-units',
  'get /internal/v1/refusals',
  'get /internal/v1/retention',
  'get /livez',
  'get /metrics',
  'get /readyz',
  'patch /api/v1/cellars/{cellar}',
  'patch /api/v1/cellars/{cellar}/alert-destinations/{id}',
  'patch /api/v1/cellars/{cellar}/keys/{id}',
  'patch /api/v1/users/{id}',
  'post /api/v1/cellars',
  'post /api/v1/cellars/{cellar}/alert-destinations',
  'post /api/v1/cellars/{cellar}/alert-destinations/{id}/test',
  'post /api/v1/cellars/{cellar}/alert-rules',
  'post /api/v1/cellars/{cellar}/alert-rules/{id}/mute',
  'post /api/v1/cellars/{cellar}/archive',
  'post /api/v1/cellars/{cellar}/claim-codes',
  'post /api/v1/cellars/{cellar}/claim-codes/{id}/revoke',
  'post /api/v1/cellars/{cellar}/key-batches',
  'post /api/v1/cellars/{cellar}/keys',
  'post /api/v1/cellars/{cellar}/keys/{id}/revoke',
  'post /api/v1/cellars/{cellar}/keys/{id}/rotate',
  'post /api/v1/cellars/{cellar}/test-readings',
  'post /api/v1/claims',
  'post /api/v1/dead-letters/discard',
  'post /api/v1/dead-letters/replay',
  'post /api/v1/invitations',
  'post /api/v1/join',
  'post /api/v1/join/lookup',
  'post /api/v1/session',
  'post /api/v1/session/confirm',
  'post /api/v1/session/password',
  'post /api/v1/setup',
  'post /api/v1/tokens',
  'post /api/v1/tokens/{id}/revoke',
  'post /internal/v1/dead-letters',
  'post /internal/v1/dead-letters/replays',
  'post /internal/v1/health/ingest',
  'post /internal/v1/health/sink',
  'post /internal/v1/keys/last-used',
  'post /internal/v1/keys/look-up',
  'post /internal/v1/refusals',
  'post /internal/v1/sessions/look-up',
  'put /api/v1/cellars/{cellar}/alert-rules/{id}',
  'put /api/v1/cellars/{cellar}/kegs',
];

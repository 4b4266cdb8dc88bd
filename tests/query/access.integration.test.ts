import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHarness } from './harness.ts';
import type { Harness } from './harness.ts';

/** Who may read what, with the real key-service. */
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
  await harness.store([
    { cellar: 'demo', rack: 'a-1', value: 1 },
    { cellar: 'demo', rack: 'a-2', value: 2 },
    { cellar: 'demo', rack: 'b-1', value: 3 },
    { cellar: 'other', rack: 'a-1', value: 4 },
  ]);
});
afterAll(() => harness.stop());

interface Latest {
  series: { rack: string; value: number }[];
}
const latest = async (secret: string, cellar = 'demo') => {
  const answer = await harness.ask<Latest & { code: string }>(`/cellars/${cellar}/latest`, {
    'x-api-key': secret,
  });
  return answer.status === 200 ? answer.body.series.map(({ rack }) => rack) : answer.body.code;
};

describe('a key', () => {
  test('is as wide as its cellar and its racks', async () => {
    const [whole, rack, prefix] = [
      await harness.createKey('demo'),
      await harness.createKey('demo', { rack: 'a-2' }),
      await harness.createKey('demo', { rackPrefix: 'a-' }),
    ];
    expect(await latest(whole.secret)).toEqual(['a-1', 'a-2', 'b-1']);
    expect(await latest(rack.secret)).toEqual(['a-2']);
    expect(await latest(prefix.secret)).toEqual(['a-1', 'a-2']);
    for (const { secret } of [whole, rack, prefix])
      expect(await latest(secret, 'other')).toBe('cellar_mismatch');

    const headers = { 'x-api-key': prefix.secret };
    const overview = await harness.ask('/cellars/demo/overview', headers);
    expect(overview.body).toMatchObject({ readingsLastHour: 2, racksLastHour: 2 });
    const racks = await harness.ask<{ racks: { rack: string }[] }>('/cellars/demo/racks', headers);
    expect(racks.body.racks.map((found) => found.rack)).toEqual(['a-1', 'a-2']);
    const last = await harness.ask('/cellars/demo/rack?rack=a-2', headers);
    expect(last.body).toMatchObject({ kegs: 1, previous: 'a-1', next: null });
    for (const path of ['rack', 'rack/keys']) {
      expect(await harness.ask(`/cellars/demo/${path}?rack=b-1`, headers)).toMatchObject({
        ...{ status: 403, body: { code: 'rack_mismatch' } },
      });
    }
    const kegs = await harness.ask('/cellars/demo/kegs', headers);
    expect(kegs.body).toMatchObject({ kegs: [{ racks: 2 }] });
    const counts = await harness.ask<{ buckets: { readings: number }[] }>('/cellars/demo/counts', headers);
    expect(counts.body.buckets.reduce((sum, { readings }) => sum + readings, 0)).toBe(2);
    const csv = await harness.ask('/cellars/demo/readings?format=csv', headers);
    expect(csv.text.split('\n').filter((line) => line.includes('b-1'))).toEqual([]);
    expect(await harness.ask('/cellars/demo/readings?rack=b-1', headers)).toMatchObject({
      status: 403,
      body: { code: 'rack_mismatch' },
    });
  });

  test('needs the scope read', async () => {
    const { secret } = await harness.createKey('demo', { scopes: ['ingest'] });
    expect(await latest(secret)).toBe('insufficient_scope');
  });

  test('is rejected as soon as it is revoked', async () => {
    const { id, secret } = await harness.createKey('demo');
    expect(await latest(secret)).toHaveLength(3);
    expect((await harness.manage('POST', `/api/v1/cellars/demo/keys/${id}/revoke`)).status).toBe(200);
    await expect.poll(() => latest(secret), { timeout: 5_000, interval: 20 }).toBe('unauthenticated');
  });
});

describe('a session', () => {
  test('sees all cellars, until it is signed out', async () => {
    const signedIn = await fetch(`${harness.keyServiceUrl}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(harness.owner),
    });
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    const cellars = () => harness.ask<{ cellars: { cellar: string }[] }>('/cellars', { cookie });
    expect((await cellars()).body.cellars).toMatchObject([
      { cellar: 'demo', readingsLastHour: 3 },
      { cellar: 'other', readingsLastHour: 1 },
    ]);
    const signedOut = await fetch(`${harness.keyServiceUrl}/api/v1/session`, {
      method: 'DELETE',
      headers: { cookie },
    });
    expect(signedOut.status).toBe(204);
    expect(await cellars()).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  });

  test('is nothing that can be guessed or that is in a wrong place', async () => {
    for (const headers of [
      { cookie: 'cellarman-session=x' },
      { cookie: `cellarman-session=${'x'.repeat(5_000)}` },
      { authorization: harness.cookie },
      {},
    ] as Record<string, string>[]) {
      expect((await harness.ask('/cellars', headers)).status).toBe(401);
    }
  });
});

describe('through key-service', () => {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${harness.keyServiceUrl}/api/v1/query${path}`, init);
  const cookie = () => ({ cookie: harness.cookie });

  test('the responses are the same, whatever the format', async () => {
    for (const format of ['json', 'ndjson', 'csv']) {
      const path = `/cellars/demo/readings?limit=2&format=${format}`;
      const [direct, passed] = [await harness.ask(path), await ask(path, { headers: cookie() })];
      expect([direct.status, passed.status]).toEqual([200, 200]);
      expect(await passed.text()).toBe(direct.text);
      for (const name of ['content-type', 'link', 'cache-control', 'vary', 'x-content-type-options']) {
        expect(passed.headers.get(name), name).toBe(direct.headers.get(name));
      }
    }
    const { secret } = await harness.createKey('demo', { rack: 'a-2' });
    const withKey = await ask('/cellars/demo/latest', { headers: { 'x-api-key': secret } });
    expect(await withKey.json()).toMatchObject({ series: [{ rack: 'a-2' }] });
  });

  /** `fetch` would resolve the dots itself. */
  const statusOf = (path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { hostname, port } = new URL(harness.keyServiceUrl);
      get({ hostname, port, path, headers: cookie() }, (answer) => resolve(answer.resume().statusCode)).on(
        'error',
        reject,
      );
    });

  test('rejections keep their words, and nothing else is reached', async () => {
    const rejected = await ask('/cellars/demo/counts?step=7', { headers: cookie() });
    expect([rejected.status, await rejected.json()]).toMatchObject([400, { code: 'invalid_request' }]);
    expect((await ask('/cellars')).status).toBe(401);
    expect((await ask('/cellars', { method: 'POST', headers: cookie() })).status).toBe(405);
    for (const path of [
      '/../../../../metrics',
      '/..%2f..%2f..%2f..%2fmetrics',
      '/%2e%2e/%2e%2e/%2e%2e/%2e%2e/metrics',
    ]) {
      expect(await statusOf(`/api/v1/query${path}`), path).toBe(404);
    }
  });
});

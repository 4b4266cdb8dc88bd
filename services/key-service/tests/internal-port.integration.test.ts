import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { INTERNAL_TOKEN, startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

let service: ServiceUnderTest;
let replica: Awaited<ReturnType<ServiceUnderTest['startReplica']>>;

beforeAll(async () => {
  service = await startServiceUnderTest();
  replica = await service.startReplica({ INTERNAL_PORT: '0' });
});
afterAll(async () => {
  await replica.stop();
  await service.stop();
});

const authorization = `Bearer ${INTERNAL_TOKEN}`;

test.each(['/internal/v1/retention', '/internal/v1/changes?after=0', '/metrics'])(
  '%s is on INTERNAL_PORT alone',
  async (path) => {
    expect((await fetch(replica.internalUrl + path, { headers: { authorization } })).status).toBe(200);
    expect((await fetch(replica.url + path, { headers: { authorization } })).status).toBe(404);
  },
);

test('the public port says that it is ready, and not what it depends on', async () => {
  await vi.waitFor(async () => {
    const answer = await fetch(`${replica.url}/readyz`);
    expect([answer.status, await answer.json()]).toEqual([200, { ready: true }]);
  }, 20_000);
  expect((await fetch(`${replica.url}/livez`)).status).toBe(200);
  const inside = await fetch(`${replica.internalUrl}/readyz`);
  expect(await inside.json()).toEqual({
    ready: true,
    parts: { postgres: { ready: true }, http: { ready: true } },
  });
});

test('the dashboard and the management API are not on INTERNAL_PORT', async () => {
  expect((await fetch(replica.internalUrl)).status).toBe(404);
  expect((await fetch(`${replica.internalUrl}/api/v1/session`)).status).toBe(404);
  expect((await fetch(`${replica.internalUrl}/internal/v1/retention`)).status).toBe(401);
});

test('the metrics count the requests of both ports', async () => {
  await fetch(`${replica.url}/api/v1/setup`);
  const metrics = await (await fetch(`${replica.internalUrl}/metrics`)).text();
  expect(metrics).toMatch(/request_duration_seconds_count\{method="GET",route="\/api\/v1\/setup"/);
  expect(metrics).toMatch(/request_duration_seconds_count\{method="GET",route="\/internal\/v1\/retention"/);
});

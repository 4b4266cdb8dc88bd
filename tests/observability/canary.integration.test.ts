import { afterEach, beforeAll, expect, inject, test, vi } from 'vitest';
import { signIn } from '../spec/client/owner.ts';
import type { Cellar } from '../spec/client/owner.ts';
import { startCanary } from './canary-process.ts';
import type { Canary } from './canary-process.ts';

const PATIENCE = { timeout: 60_000, interval: 100 };

let cellar: Cellar;
let canary: Canary | undefined;
beforeAll(async () => {
  cellar = await (await signIn()).openCellar();
});
afterEach(() => canary?.stop());

async function startWith(environment: Record<string, string>): Promise<() => Promise<string>> {
  const { ingestUrl, queryUrl } = inject('product');
  const started = await startCanary({
    INGEST_URL: ingestUrl,
    QUERY_URL: queryUrl,
    CELLAR: cellar.name,
    INTERVAL_MS: '100',
    ...environment,
  });
  canary = started;
  return async () => (await fetch(`${started.url}/metrics`)).text();
}

test('a canary counts its round trips, and nothing as failed', async () => {
  const { secret } = await cellar.createKey({ scopes: ['ingest', 'read'] });
  const metrics = await startWith({ API_KEY: secret });
  await vi.waitFor(
    async () => expect(await metrics()).toMatch(/^cellarman_canary_round_trip_seconds_count [2-9]/m),
    PATIENCE,
  );
  const failures = /^cellarman_canary_round_trips_total\{outcome="(?:post|read|find)"\} (?!0$)/m;
  expect(await metrics()).not.toMatch(failures);
});

test.each([
  ['post', ['read']],
  ['read', ['ingest']],
] as const)('a canary that may not %s says so, stays ready and goes on', async (step, scopes) => {
  const { secret } = await cellar.createKey({ scopes: [...scopes] });
  const metrics = await startWith({ API_KEY: secret });
  await vi.waitFor(
    async () =>
      expect(await metrics()).toMatch(
        new RegExp(`^cellarman_canary_round_trips_total\\{outcome="${step}"\\} [2-9]`, 'm'),
      ),
    PATIENCE,
  );
  expect((await fetch(`${canary?.url ?? ''}/readyz`)).status).toBe(200);
  expect(canary?.log()).toContain(`"step":"${step}","reason":"403: `);
  expect(canary?.log()).not.toContain(secret);
});

test('a canary whose ingest is away says that it cannot post', async () => {
  const { secret } = await cellar.createKey({ scopes: ['ingest', 'read'] });
  const metrics = await startWith({ API_KEY: secret, INGEST_URL: 'http://127.0.0.1:9' });
  await vi.waitFor(
    async () =>
      expect(await metrics()).toMatch(/^cellarman_canary_round_trips_total\{outcome="post"\} [1-9]/m),
    PATIENCE,
  );
});

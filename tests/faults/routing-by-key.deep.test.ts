import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { INGEST_PATH } from '@cellarman/contracts';
import { until } from '@cellarman/local-stack';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasHaproxy, REPLICA_HEADER, ROUTE_BY_KEY } from './balancer.ts';
import { startHarness } from './harness.ts';
import type { Harness } from './harness.ts';
import { createLedger } from './ledger.ts';
import { signIn } from './management.ts';
import { storedRows, viewOf } from './stored-rows.ts';

/* Requests with the same API key reach the same replica, also when another one is killed. */

vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 });

const CELLAR = 'routed';
const REPLICAS = 3;
const KEYS = 48;
const ROUNDS = 5;
const DEPLOYMENT = join(import.meta.dirname, '../../docs/deployment.md');

describe.runIf(hasHaproxy)('ingest behind HAProxy that routes by key', () => {
  let harness: Harness;
  let keys: string[];
  const ledger = createLedger({ cellar: CELLAR, racks: KEYS });

  beforeAll(async () => {
    harness = await startHarness({ ingestReplicas: REPLICAS, isBalanced: 'by key' });
    const management = await signIn(harness.product.run());
    await management.createCellar(CELLAR);
    const created = Array.from({ length: KEYS }, () => management.createKey(CELLAR));
    keys = (await Promise.all(created)).map(({ secret }) => secret);
  });
  afterAll(() => harness.stop());

  /** Posts a reading with the n-th key, again until it is acknowledged, and returns the replica that responded. */
  async function post(n: number): Promise<string> {
    const { number, reading } = ledger.next(n);
    const send = () =>
      fetch(`${harness.urls[0]}${INGEST_PATH}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': keys[n] ?? '' },
        body: JSON.stringify(reading),
      }).catch(() => undefined);
    for (;;) {
      const response = await send();
      await response?.arrayBuffer();
      if (response?.status !== 200) continue;
      ledger.record(number, 'acknowledged');
      return response.headers.get(REPLICA_HEADER) ?? '';
    }
  }
  const postWithAll = () => Promise.all(keys.map((_, n) => post(n)));

  /** How many keys each replica has in memory. */
  const cachedKeys = () =>
    Promise.all(
      harness.product.run().ingestUrls.map(async (url) => {
        const metrics = await (await fetch(`${url}/metrics`)).text();
        return Number(/^cellarman_ingest_cached_keys(?:{[^}]*})? (\d+)/m.exec(metrics)?.[1]);
      }),
    );

  test('is configured as docs/deployment.md says', async () => {
    expect(await readFile(DEPLOYMENT, 'utf8')).toContain(ROUTE_BY_KEY);
  });

  test('the keys of a killed replica move, no others, and they come back; every acknowledged reading is stored once', async () => {
    const before = await postWithAll();
    for (let round = 0; round < ROUNDS; round++) expect(await postWithAll()).toEqual(before);
    expect(new Set(before).size).toBe(REPLICAS);
    const cached = await cachedKeys();
    // The demo cellar has a key too, and the balancer was not in front of its first reading.
    expect(cached.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(KEYS + 1);

    const killed = before[0] ?? '';
    const posting = postWithAll();
    const bringBack = await harness.product.takeDown('ingest', Number(killed.replace('ingest-', '')) - 1);
    await posting;
    const during = await postWithAll();
    expect(during).not.toContain(killed);
    const others = (replicas: string[]) =>
      replicas.map((replica, n) => (before[n] === killed ? '' : replica));
    expect(others(during)).toEqual(others(before));
    const moved = during.filter((_, n) => before[n] === killed);
    expect(new Set(moved).size).toBe(REPLICAS - 1);

    bringBack();
    const areBack = async () => isDeepStrictEqual(await postWithAll(), before);
    await until('its keys are back', areBack, { deadlineMs: 60_000 });

    const verdict = async () =>
      ledger.compare(storedRows({ ...viewOf(harness.product.run()), cellar: CELLAR }));
    await until('everything is stored', async () => (await verdict()).missing === 0, { deadlineMs: 60_000 });
    expect(await verdict()).toMatchObject({ missing: 0, doubled: 0, changed: 0, examples: [] });
  });
});

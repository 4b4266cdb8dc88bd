import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngines } from '@cellarman/local-stack';
import type { StartedEngines } from '@cellarman/local-stack';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { post, reading } from './ingest-app.ts';
import { startOnEngines } from './started-ingest.ts';
import type { StartedIngest } from './started-ingest.ts';

let dataDir: string;
let engines: StartedEngines;
let ingest: StartedIngest;
let apiKey: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cellarman-outage-'));
  engines = await startEngines({ dataDir });
  ingest = await startOnEngines(engines.urls);
  apiKey = ingest.keyService.addKey();
  expect((await post(ingest.url, apiKey, reading({ rack: 'before' }))).status).toBe(200);
});
afterAll(async () => {
  await ingest.stop();
  await engines.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Posts readings of several racks, so that every partition has some. Returns the racks by status. */
async function postMany(name: string): Promise<Map<number, string[]>> {
  const byStatus = new Map<number, string[]>();
  await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const rack = `${name}-${n}`;
      const response = await post(ingest.url, apiKey, reading({ rack }));
      if (response.status === 503) {
        expect(await response.json()).toMatchObject({ status: 'error', code: 'unavailable' });
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      byStatus.set(response.status, [...(byStatus.get(response.status) ?? []), rack]);
    }),
  );
  return byStatus;
}

async function gauge(name: string): Promise<number> {
  const metrics = await (await fetch(`${ingest.url}/metrics`)).text();
  return Number(new RegExp(`^${name}(?:{[^}]*})? (\\S+)$`, 'm').exec(metrics)?.[1]);
}

async function expectRecovery(name: string): Promise<void> {
  const accepted: string[] = [];
  await expect
    .poll(
      async () => {
        const statuses = await postMany(name);
        accepted.push(...(statuses.get(200) ?? []));
        return [...statuses.keys()];
      },
      { timeout: 40_000, interval: 500 },
    )
    .toEqual([200]);
  const stored = new Set((await ingest.stored()).map(({ key }) => key));
  expect(accepted.filter((rack) => !stored.has(`demo/${rack}`))).toEqual([]);
}

it('returns 503 while the broker hangs, and goes on when it does', { timeout: 120_000 }, async () => {
  engines.kill('kafka', 'SIGSTOP');
  try {
    const answers = postMany('hung');
    // What an operator sees meanwhile: all of them wait for Kafka, and there is still room.
    await expect.poll(() => gauge('cellarman_ingest_in_flight'), { timeout: 4_000 }).toBe(12);
    expect(await gauge('cellarman_ingest_in_flight_limit')).toBeGreaterThan(12);
    expect([...(await answers).keys()]).toEqual([503]);
    await expect.poll(() => gauge('cellarman_ingest_in_flight'), { timeout: 10_000 }).toBe(0);
  } finally {
    engines.kill('kafka', 'SIGCONT');
  }
  await expectRecovery('after-hang');
});

it('returns 503 while the broker is dead, and goes on when it is back', { timeout: 120_000 }, async () => {
  engines.kill('kafka', 'SIGKILL');
  const statuses = await postMany('killed');
  // The supervisor may bring it back before the deadline of a request.
  expect([...statuses.keys()].filter((status) => status !== 503 && status !== 200)).toEqual([]);
  await expectRecovery('after-kill');
});

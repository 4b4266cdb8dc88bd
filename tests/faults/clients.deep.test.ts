import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startHarness } from './harness.ts';
import type { Harness } from './harness.ts';
import { playRound } from './play-round.ts';
import { clientsKilled } from './rounds/clients-killed.ts';

/* What `put`, PUBACK and 202 have acknowledged is stored once and in order, whatever happens to the senders and to ingest. */

vi.setConfig({ testTimeout: 540_000, hookTimeout: 240_000 });

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

test('SIGKILL of clients, of a gateway and of ingest', async () => {
  const round = clientsKilled({
    ...{ clients: 6, mqttDevices: 4, httpDevices: 2, awayMs: 2_000 },
    ...{ kills: 8, lifeMs: [500, 3_000], pauseMs: [0, 20] },
  });
  const { problems, view } = await playRound(harness, round);
  expect(problems).toEqual([]);
  expect(view.acknowledged).toBeGreaterThan(500);
});

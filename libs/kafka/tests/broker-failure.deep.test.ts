import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { PublishError } from '../src/index.ts';
import { lanesToOneBroker } from './lanes-to-one-broker.ts';
import { readAll } from './test-topic.ts';

// Brokers take their time on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

const WAIT = { timeout: 60_000, interval: 100 };
const broker = lanesToOneBroker({ maxInFlightBytes: 1_000_000, deadlineMs: 2_000 });

let load: ReturnType<typeof publishing> | undefined;
// Also after a failure.
afterEach(() => load?.stop());

/** Publishes without pause until stopped. */
function publishing() {
  const acknowledged: string[] = [];
  const rejected: string[] = [];
  let on = true;
  let most = 0;
  const publishers = Array.from({ length: 20 }, async (_, publisher) => {
    for (let i = 0; on; i++) {
      const id = `${publisher}-${i}-${performance.now()}`;
      try {
        await broker.lanes.publish(id, Buffer.from(id));
        acknowledged.push(id);
      } catch (error) {
        rejected.push(error instanceof PublishError ? error.code : String(error));
        // The rejection may be immediate: yields to the others before the next attempt.
        await nextTurn();
      }
      most = Math.max(most, broker.lanes.stats().heldBytes);
    }
  });
  return {
    acknowledged,
    rejected,
    mostHeldBytes: () => most,
    stop: async () => {
      on = false;
      await Promise.all(publishers);
    },
  };
}

it.each([
  {
    trouble: 'hangs',
    begin: async () => broker.cluster.signal(1, 'SIGSTOP'),
    end: async () => broker.cluster.signal(1, 'SIGCONT'),
  },
  { trouble: 'is killed', begin: () => broker.cluster.kill(1), end: () => broker.cluster.start(1) },
])('a broker that $trouble costs rejections, and nothing that was acknowledged', async ({ begin, end }) => {
  const { acknowledged, rejected, mostHeldBytes, stop } = (load = publishing());
  await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(100), WAIT);

  await begin();
  await vi.waitFor(() => expect(rejected.length).toBeGreaterThan(40), WAIT);
  const before = acknowledged.length;
  await end();
  await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 1_000), WAIT);
  await stop();

  expect(new Set(rejected)).toEqual(new Set(['deadline']));
  expect(mostHeldBytes()).toBeLessThanOrEqual(1_000_000);
  await vi.waitFor(async () => {
    const stored = new Set(
      (await readAll(broker.connection, broker.topic)).flat().map(({ value }) => value?.toString()),
    );
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  }, WAIT);
  await vi.waitFor(() => expect(broker.lanes.stats()).toMatchObject({ heldBytes: 0, failing: [] }), WAIT);
});

import { expect, it, vi } from 'vitest';
import { lanesToOneBroker } from './lanes-to-one-broker.ts';
import { recordsIn, supervisedConsumer } from './supervised-consumer.ts';
import { randomName } from './test-topic.ts';

// Brokers take their time on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

const WAIT = { timeout: 90_000, interval: 100 };
const broker = lanesToOneBroker({ maxInFlightBytes: 8_000_000, deadlineMs: 60_000 });

async function publish(count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, i) => broker.lanes.publish(randomName(String(i)), Buffer.from('x'))),
  );
}

it.each([
  {
    trouble: 'hangs',
    begin: async () => broker.cluster.signal(1, 'SIGSTOP'),
    end: async () => broker.cluster.signal(1, 'SIGCONT'),
  },
  { trouble: 'is killed', begin: () => broker.cluster.kill(1), end: () => broker.cluster.start(1) },
])('a broker that $trouble ends the consumer; the next one goes on without a gap', async ({ begin, end }) => {
  const reader = supervisedConsumer(broker.connection, broker.topic);
  await publish(500);
  await vi.waitFor(() => expect(reader.count()).toBeGreaterThanOrEqual(500), WAIT);

  await begin();
  const published = publish(500);
  // The trouble lasts until the consumer has noticed it.
  await vi.waitFor(() => expect(reader.ends).not.toEqual([]), WAIT);
  await end();
  await published;
  await publish(500);

  await vi.waitFor(
    async () => expect(reader.count()).toBe(await recordsIn(broker.connection, broker.topic)),
    WAIT,
  );
  await reader.stop();

  for (const code of reader.ends) expect(['crashed', 'stalled']).toContain(code);
  reader.expectNoGap();
});

import { createRequire } from 'node:module';
import { expect, it } from 'vitest';

interface FetchManager {
  start(): Promise<void>;
  stop(): Promise<void>;
}

const require = createRequire(import.meta.url);
const createFetchManager = require('kafkajs/src/consumer/fetchManager') as (options: object) => FetchManager;

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const logger = { ...silent, namespace: (): object => logger };
/** More than any right order of events needs. */
const TOO_OFTEN = 1_000;

it('end when the consumer stops at the moment at which a broker is lost', async () => {
  let brokers = [1, 2];
  const answers = new Map([1, 2].map((broker) => [broker, Promise.withResolvers<unknown[]>()]));
  let asked = 0;
  const manager = createFetchManager({
    logger,
    getNodeIds: () => brokers,
    handler: () => undefined,
    fetch: async (broker: number) => {
      asked += 1;
      // It would never end, and nothing else would have its turn: so the test ends it.
      if (asked > TOO_OFTEN) throw new Error('fetches without a pause and without end');
      return asked <= 2 ? answers.get(broker)?.promise : [];
    },
  });
  const running = manager.start();
  expect(asked).toBe(2);

  brokers = [1];
  // Its fetcher sees that a broker is gone, and waits for the other one to end.
  answers.get(1)?.resolve([]);
  await new Promise(setImmediate);
  await manager.stop();
  answers.get(2)?.resolve([]);

  await running;
  expect(asked).toBe(2);
});

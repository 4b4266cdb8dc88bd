import { READINGS_TOPIC, SCHEMA_VERSION, TOPIC_HEADERS, messageKey } from '@cellarman/contracts';
import { readRange } from '@cellarman/kafka';
import { beforeAll, expect, inject, test, vi } from 'vitest';
import { signIn } from './client/owner.ts';
import type { Cellar } from './client/owner.ts';
import { send } from './client/ingest.ts';
import { readingOf } from './client/reading.ts';
import { waitForReadings } from './client/stored-readings.ts';
import { requirement } from './requirements/requirement.ts';

let cellar: Cellar;
let apiKey: string;

beforeAll(async () => {
  cellar = await (await signIn()).openCellar();
  apiKey = (await cellar.createKey()).secret;
});

test(requirement('events.topic', 'a reading that was acknowledged is a message in the topic'), async () => {
  const { kafkaBrokers } = inject('product');
  const begun = Date.now();
  const reading = readingOf(cellar.name);
  expect((await send(JSON.stringify(reading), { apiKey })).status).toBe(200);

  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  const connection = { brokers: kafkaBrokers, clientId: 'spec-tests', logger: silent };
  const messages = [];
  const range = { from: { timestampMs: begun - 60_000 }, to: 'end' } as const;
  for await (const batch of readRange({ connection, topic: READINGS_TOPIC, ...range }))
    messages.push(...batch.messages);
  const [message, ...others] = messages.filter(
    ({ key }) => key?.toString() === messageKey(cellar.name, reading.rack),
  );
  expect(others).toEqual([]);
  expect(JSON.parse(message?.value?.toString() ?? '')).toMatchObject(reading);
  expect(message?.headers?.[TOPIC_HEADERS.schemaVersion]?.toString()).toBe(SCHEMA_VERSION);
});

test(
  requirement(
    ['answers.no-false-success', 'code.unavailable', 'errors.retry'],
    'while Kafka stands still the response is 503; sent again, the reading is stored once',
  ),
  async () => {
    const own = await (await signIn()).openCellar();
    const { secret } = await own.createKey();
    const body = JSON.stringify(readingOf(own.name));
    const brokers = inject('product').processes['kafka'] ?? [];
    expect(brokers).not.toEqual([]);
    try {
      for (const broker of brokers) process.kill(broker, 'SIGSTOP');
      const rejected = await send(body, { apiKey: secret });
      expect(rejected).toMatchObject({ status: 503, body: { status: 'error', code: 'unavailable' } });
      expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      for (const broker of brokers) process.kill(broker, 'SIGCONT');
    }
    await vi.waitFor(async () => expect((await send(body, { apiKey: secret })).status).toBe(200), {
      timeout: 60_000,
    });

    // The same device sends a last one: when that is in the view, so is everything before it.
    const last = JSON.stringify({ ...(JSON.parse(body) as object), keg: 'last' });
    expect((await send(last, { apiKey: secret })).status).toBe(200);
    const stored = await waitForReadings(own.name, 2);
    expect(stored.map(({ keg }) => keg).sort()).toEqual(['last', 'temperature']);
  },
);

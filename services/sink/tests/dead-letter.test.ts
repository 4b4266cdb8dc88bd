import { ProduceError } from '@cellarman/kafka';
import type { ConsumedHeaders, ProducerMessage, ProducerPort } from '@cellarman/kafka';
import { DEAD_LETTER_HEADERS } from '@cellarman/contracts';
import { expect, it } from 'vitest';
import { Batch } from '../src/batch/batch.ts';
import type { BadRow } from '../src/batch/batch.ts';
import { connectClickHouse } from '@cellarman/clickhouse';
import { createDeadLetterPublisher } from '../src/dead-letter/publish-dead-letters.ts';
import { createLineBuffers } from '../src/batch/line-buffers.ts';
import { createStreak } from '../src/batch/bad-row-streak.ts';
import { createBatchStore } from '../src/store/store-batch.ts';
import { encodeRecordBatch } from '../../../libs/kafka/src/producer/record-batch.ts';

/** What the topic takes as migration makes it. */
const TOPIC_BYTES = 1024 * 1024 + 64 * 1024;

function badRow(fields: Partial<BadRow> = {}): BadRow {
  return {
    partition: 2,
    offset: 7,
    key: Buffer.from('demo/boiler-house-2'),
    value: Buffer.from('{}'),
    headers: {},
    reason: 'the field cellar is missing',
    ...fields,
  };
}

/** A topic that takes batches up to this size. Records each send with its bytes. */
function topicOf(maxBytes = TOPIC_BYTES) {
  const sends: { bytes: number; messages: readonly ProducerMessage[] }[] = [];
  const producer: ProducerPort = {
    connect: () => Promise.resolve(),
    disconnect: () => Promise.resolve(),
    leaders: () => [1],
    send: (_topic, batches) => {
      for (const { messages } of batches) {
        const bytes = encodeRecordBatch(messages, 0).length;
        if (bytes > maxBytes) {
          const error = { code: 'too_large', retriable: false, partitions: [0] } as const;
          return Promise.reject(new ProduceError('MESSAGE_TOO_LARGE', error));
        }
        sends.push({ bytes, messages });
      }
      return Promise.resolve(new Map());
    },
  };
  const publish = createDeadLetterPublisher({ producer, topic: 'dead-letters', origin: 'readings' });
  return { publish, sends };
}

const textOf = (message: ProducerMessage | undefined, name: string) => message?.headers?.[name]?.toString();
const reasonOf = (message: ProducerMessage | undefined) => textOf(message, DEAD_LETTER_HEADERS.reason);

it('a header without a value is one with an empty value', async () => {
  const { publish, sends } = topicOf();
  const headers: ConsumedHeaders = { trace: null, kept: Buffer.from('x'), last: [Buffer.from('y'), null] };
  await publish([badRow({ headers })]);
  const [message] = sends[0]?.messages ?? [];
  expect(textOf(message, 'trace')).toBe('');
  expect(textOf(message, 'kept')).toBe('x');
  expect(textOf(message, 'last')).toBe('');
});

it('many small messages with long headers go in sends that every broker takes', async () => {
  const { publish, sends } = topicOf();
  const headers = Object.fromEntries(
    Array.from({ length: 10 }, (_, n) => [`header-${n}`, Buffer.alloc(190, 'h')]),
  );
  const rows = Array.from({ length: 1_000 }, (_, offset) => badRow({ offset, headers }));
  await publish(rows);
  expect(sends.flatMap(({ messages }) => messages)).toHaveLength(1_000);
  for (const { bytes } of sends) expect(bytes).toBeLessThanOrEqual(512 * 1024);
  // Nor is each sent alone.
  expect(sends.length).toBeLessThan(10);
});

it.each<[string, Partial<BadRow>]>([
  ['value', { value: Buffer.alloc(3_000_000, 'v') }],
  ['headers', { headers: { large: Buffer.alloc(3_000_000, 'h'), small: Buffer.from('x') } }],
  ['key', { key: Buffer.alloc(3_000_000, 'k') }],
  [
    'everything',
    {
      key: Buffer.alloc(900_000, 'k'),
      value: Buffer.alloc(900_000, 'v'),
      headers: { large: Buffer.alloc(900_000, 'h') },
    },
  ],
])('a message that is too large by its %s is cut, and names the offset of the original', async (_, large) => {
  const { publish, sends } = topicOf();
  const row = badRow(large);
  await publish([badRow({ offset: 6 }), row, badRow({ offset: 8 })]);
  const messages = sends.flatMap((send) => send.messages);
  expect(messages.map((message) => textOf(message, DEAD_LETTER_HEADERS.offset))).toEqual(['6', '7', '8']);
  const cut = messages[1];
  expect(reasonOf(messages[0])).toBe(row.reason);
  expect(reasonOf(cut)).toContain(row.reason);
  expect(reasonOf(cut)).toContain('cut');
  expect(reasonOf(cut)).toContain(
    `${row.key?.length} bytes of key, ${row.value?.length} of value and ${Object.keys(row.headers).length} headers`,
  );
  expect(row.value?.subarray(0, cut?.value.length)).toEqual(cut?.value);
  expect(cut?.value.length).toBeGreaterThan(0);
  // What is not to blame stays.
  if (large.value === undefined) expect(cut?.value).toEqual(row.value);
  if (large.key === undefined) expect(cut?.key).toEqual(row.key);
});

it('a value is cut no shorter than it has to be, and its headers stay', async () => {
  const { publish, sends } = topicOf();
  await publish([badRow({ value: Buffer.alloc(3_000_000, 'v'), headers: { kept: Buffer.from('x') } })]);
  const [message] = sends[0]?.messages ?? [];
  expect(sends[0]?.bytes).toBeGreaterThan(TOPIC_BYTES - 1_000);
  expect(textOf(message, 'kept')).toBe('x');
});

it('a topic that takes less than it should gets smaller sends, and shorter messages', async () => {
  const { publish, sends } = topicOf(10_000);
  const rows = Array.from({ length: 100 }, (_, offset) =>
    badRow({ offset, value: Buffer.alloc(2_000, 'v') }),
  );
  await publish([...rows, badRow({ offset: 100, value: Buffer.alloc(50_000, 'v') })]);
  const messages = sends.flatMap((send) => send.messages);
  expect(messages.map((message) => Number(textOf(message, DEAD_LETTER_HEADERS.offset)))).toEqual(
    Array.from({ length: 101 }, (_, offset) => offset),
  );
  expect(messages.slice(0, 100).every(({ value }) => value.length === 2_000)).toBe(true);
  expect(reasonOf(messages[100])).toContain('50000 of value');
});

it('a topic that takes nothing at all is waited for', async () => {
  const { publish } = topicOf(10);
  await expect(publish([badRow()])).rejects.toMatchObject({ code: 'too_large' });
});

it.each([
  ['a fault of ours', new TypeError('null is no header')],
  ['no message', new ProduceError('null', { code: 'invalid', retriable: false, partitions: [0] })],
])('%s is not taken for a Kafka that is away', async (_, fault) => {
  const waits: string[] = [];
  const store = createBatchStore({
    clickhouse: connectClickHouse({
      url: 'http://127.0.0.1:9',
      database: 'nobody-asks-it',
      application: 'test',
    }),
    publishDeadLetters: () => Promise.reject(fault),
    streak: createStreak(0),
    onWaiting: (step) => waits.push(step),
    onStored: () => undefined,
  });
  const batch = new Batch({ buffers: createLineBuffers(1), now: 0 });
  batch.addBad(0, { key: null, value: null, offset: '7', timestamp: '0' }, 'the message has no value');
  await expect(store(batch, AbortSignal.timeout(2_000))).rejects.toBe(fault);
  expect(waits).toEqual([]);
});

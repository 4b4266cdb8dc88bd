import { DEAD_LETTER_HEADERS, deadLettersRequestSchema, MAX_KEPT_PAYLOAD_BYTES } from '@cellarman/contracts';
import type { ConsumedMessage } from '@cellarman/kafka';
import { FormatRegistry } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { describe, expect, test } from 'vitest';
import { readDeadLetter } from '../src/replay/read-dead-letter.ts';

FormatRegistry.Set('date-time', (text) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text));

const { topic, partition, offset, reason } = DEAD_LETTER_HEADERS;
const origin = { [topic]: 'readings', [partition]: '3', [offset]: '42' };

function message(headers: Record<string, string>, change: Partial<ConsumedMessage> = {}): ConsumedMessage {
  const bytes = Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)] as const);
  return {
    ...{ key: Buffer.from('demo/a'), value: Buffer.from('{}'), offset: '1', timestamp: '1795415000000' },
    headers: Object.fromEntries(bytes),
    ...change,
  };
}

test('a dead letter has its origin, its reason and the headers of the original message', () => {
  const letter = readDeadLetter(message({ ...origin, [reason]: 'not JSON', 'content-type': 'text/plain' }));
  expect(letter).toMatchObject({
    ...{ topic: 'readings', partition: 3, offset: '42', reason: 'not JSON', size: 2, isTruncated: false },
    headers: { 'content-type': 'text/plain' },
  });
});

test('a long payload is truncated, and reported as such', () => {
  const letter = readDeadLetter(message(origin, { value: Buffer.alloc(MAX_KEPT_PAYLOAD_BYTES + 1) }));
  expect(letter).toMatchObject({ size: MAX_KEPT_PAYLOAD_BYTES + 1, isTruncated: true });
  const cut = '(cut: it had 19 bytes of key, 3000000 of value and 2 headers of 41)';
  expect(readDeadLetter(message({ ...origin, [reason]: cut }))).toMatchObject({ isTruncated: true });
});

describe('of another program', () => {
  test.each([
    ['no origin', {}],
    ['no number as its partition', { ...origin, [partition]: 'x' }],
    ['a partition that Kafka cannot have', { ...origin, [partition]: String(2 ** 31) }],
    ['no number as its offset', { ...origin, [offset]: '-1' }],
    ['a name that no topic can have', { ...origin, [topic]: 'a'.repeat(250) }],
  ])('with %s, it is left out', (_, headers) => {
    expect(readDeadLetter(message(headers))).toBeUndefined();
  });

  // key-service would reject it forever, and no dead letter behind it would be copied.
  test.each([
    ['a reason cut within a character', message({ ...origin, [reason]: `${'a'.repeat(999)}😀` })],
    ['a timestamp beyond any date', message(origin, { timestamp: '9007199254740991' })],
    ['a negative timestamp', message(origin, { timestamp: '-1' })],
    ['neither key nor value', message(origin, { key: null, value: null })],
    ['large headers and key', message({ ...origin, a: 'x'.repeat(99_999) }, { key: Buffer.alloc(99_999) })],
  ])('with %s, it is one that key-service takes', (_, received) => {
    const letter = readDeadLetter(received);
    expect(Value.Check(deadLettersRequestSchema, { deadLetters: [letter] })).toBe(true);
    expect(letter?.reason.isWellFormed()).toBe(true);
  });
});

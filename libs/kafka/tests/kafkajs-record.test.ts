import { createRequire } from 'node:module';
import { expect, it } from 'vitest';

const require = createRequire(import.meta.url);
const encode = require('kafkajs/src/protocol/recordBatch/record/v0') as (record: object) => {
  buffer: Buffer;
};
const Decoder = require('kafkajs/src/protocol/decoder') as new (bytes: Buffer) => {
  offset: number;
  readVarInt(): number;
  readVarIntBytes(): Buffer;
};
const decode = require('kafkajs/src/protocol/recordBatch/record/v0/recordOnDemand') as (
  decoder: object,
  batch: object,
) => Record<'offset' | 'timestamp' | 'key' | 'value' | 'headers' | 'isControlRecord', unknown>;

const CREATE_TIME = 0;
const LOG_APPEND_TIME = 1;
const batch = { firstOffset: '41', firstTimestamp: '1700000000000', timestampType: CREATE_TIME };

function record(fields: object, context: object = batch) {
  const bytes = encode({ offsetDelta: 1, timestampDelta: 250, value: Buffer.from('v'), ...fields }).buffer;
  return decode(new Decoder(new Decoder(bytes).readVarIntBytes()), context);
}

it('gives the fields of a record in whatever order they are requested, and again', () => {
  const read = record({ key: Buffer.from('k'), headers: { a: '1', empty: '' } });
  for (let time = 0; time < 2; time++) {
    expect(read.headers).toEqual({ a: Buffer.from('1'), empty: Buffer.alloc(0) });
    expect(read.timestamp).toBe('1700000000250');
    expect(read.value).toEqual(Buffer.from('v'));
    expect(read.key).toEqual(Buffer.from('k'));
    expect(read.offset).toBe('42');
    expect(read.isControlRecord).toBe(false);
  }
});

it('knows records without key, value and headers', () => {
  const read = record({ key: null, value: null, headers: {} });
  expect([read.key, read.value, read.headers]).toEqual([null, null, {}]);
});

it('keeps all values of a repeated header, and one that is named like a property of objects', () => {
  expect(record({ headers: { a: ['1', '2', '3'] } }).headers).toEqual({
    a: ['1', '2', '3'].map((text) => Buffer.from(text)),
  });
  const named = record({ headers: Object.fromEntries([['__proto__', 'x']]) }).headers as object;
  expect(Object.entries(named)).toEqual([['__proto__', Buffer.from('x')]]);
});

it("takes the broker's time where the topic says so, and offsets beyond the safe integers", () => {
  const context = {
    ...batch,
    firstOffset: '9007199254740993',
    timestampType: LOG_APPEND_TIME,
    maxTimestamp: '1800000000000',
  };
  const read = record({}, context);
  expect([read.timestamp, read.offset]).toEqual(['1800000000000', '9007199254740994']);
});

it('takes headers of the same bytes for the same, and no others', () => {
  const first = record({ headers: { a: '1', b: '2' } }).headers;
  expect(record({ value: Buffer.from('another'), headers: { a: '1', b: '2' } }).headers).toBe(first);
  for (const headers of [{ a: '1', b: '3' }, { a: '1' }, {}, { a: '1', b: '2', c: '3' }, { a: '1', b: '' }]) {
    const values = Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)]);
    expect(record({ headers }).headers).toEqual(Object.fromEntries(values));
  }
  expect(first).toEqual({ a: Buffer.from('1'), b: Buffer.from('2') });
});

it('reads records that share a decoder in any order', () => {
  const texts = ['first', 'second', 'third'];
  const bytes = texts.map((text, offsetDelta) => {
    const headers = { name: text };
    return encode({ offsetDelta, timestampDelta: 250, value: Buffer.from(text), headers }).buffer;
  });
  const decoder = new Decoder(Buffer.concat(bytes));
  const read = bytes.map((all) => {
    decoder.readVarInt();
    const begin = decoder.offset;
    const one = decode(decoder, batch);
    decoder.offset = begin + new Decoder(all).readVarIntBytes().length;
    return one;
  });
  for (const [i, one] of [...read.entries()].reverse()) {
    expect(one.headers).toEqual({ name: Buffer.from(texts[i] ?? '') });
    expect(one.value).toEqual(Buffer.from(texts[i] ?? ''));
    expect(one.offset).toBe(String(41 + i));
  }
});

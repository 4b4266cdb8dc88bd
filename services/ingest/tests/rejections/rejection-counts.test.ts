import { expect, test } from 'vitest';
import { createRejectionCounts } from '../../src/rejections/rejection-counts.ts';

test('counts by key, code and field, and remembers the last time and rack', () => {
  let now = 1;
  const counts = createRejectionCounts({ maxKinds: 10, clock: { now: () => now } });
  counts.note('a', 'timestamp_out_of_range', '"timestamp" is too late', 'rack-1');
  now = 2;
  counts.note('a', 'timestamp_out_of_range', '"timestamp" is too late', 'rack-2');
  now = 3;
  counts.note('a', 'timestamp_out_of_range', '"timestamp" is too late');
  counts.note('a', 'invalid_reading', '"value" is missing');
  counts.note('b', 'key_revoked', '');
  expect(counts.take(10)).toEqual([
    {
      ...{ keyId: 'a', code: 'timestamp_out_of_range', field: 'timestamp', rack: 'rack-2' },
      ...{ detail: '"timestamp" is too late', count: 3, atMs: 3 },
    },
    {
      ...{ keyId: 'a', code: 'invalid_reading', field: 'value', rack: null },
      ...{ detail: '"value" is missing', count: 1, atMs: 3 },
    },
    { keyId: 'b', code: 'key_revoked', field: null, rack: null, detail: '', count: 1, atMs: 3 },
  ]);
  expect(counts.take(10)).toEqual([]);
});

test('is taken in parts, and what is taken makes room', () => {
  const counts = createRejectionCounts({ maxKinds: 2 });
  for (const keyId of ['a', 'b', 'c']) counts.note(keyId, 'rate_limited', '');
  expect(counts.take(1).map(({ keyId }) => keyId)).toEqual(['a']);
  counts.note('d', 'rate_limited', '');
  expect(counts.take(5).map(({ keyId }) => keyId)).toEqual(['b', 'd']);
});

test('counts requests without a known key until they are taken', () => {
  const counts = createRejectionCounts({ maxKinds: 2 });
  counts.noteUnauthenticated('missing');
  counts.noteUnauthenticated('unknown');
  counts.noteUnauthenticated('unknown');
  expect(counts.takeUnauthenticated()).toEqual({ missing: 1, unknown: 2 });
  expect(counts.takeUnauthenticated()).toEqual({ missing: 0, unknown: 0 });
});

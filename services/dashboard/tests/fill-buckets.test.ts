import { expect, it } from 'vitest';
import { fillBuckets } from '../src/overview/fill-buckets.ts';

const at = (text: string): number => Date.parse(`2026-11-21T${text}Z`);

it('a missing bucket is a gap, never zero, and the last one may still fill', () => {
  const buckets = [
    { at: '2026-11-21T06:01:00.000Z', readings: 7, isComplete: true },
    { at: '2026-11-21T06:03:00.000Z', readings: 2, isComplete: false },
  ];
  expect(fillBuckets(buckets, at('06:00:40'), at('06:03:20'), 60)).toEqual([
    { at: at('06:00:00'), complete: null, stillFilling: null, rejected: null },
    { at: at('06:01:00'), complete: 7, stillFilling: null, rejected: null },
    { at: at('06:02:00'), complete: null, stillFilling: null, rejected: null },
    { at: at('06:03:00'), complete: null, stillFilling: 2, rejected: null },
  ]);
});

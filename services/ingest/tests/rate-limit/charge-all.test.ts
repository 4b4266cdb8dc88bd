import { expect, it } from 'vitest';
import { chargeAll } from '../../src/rate-limit/charge-all.ts';
import type { RateLimit } from '../../src/rate-limit/rate-policy.ts';

it('debits every bucket, each with no more than its burst', async () => {
  const taken: [string, number][] = [];
  const limiter = {
    takeMore: (id: string, _policy: unknown, count: number) => {
      taken.push([id, count]);
      return Promise.resolve(0);
    },
    available: () => 0,
  };
  const limits: RateLimit[] = [
    { id: 'key', name: 'api-key', policy: { perSecond: 1, burst: 100 } },
    { id: 'cellar:demo', name: 'cellar', policy: { perSecond: 1, burst: 5_000 } },
  ];
  await chargeAll(limits, { limiter, paid: 1 }).debit(1_024);
  expect(taken).toEqual([
    ['key', 100],
    ['cellar:demo', 1_024],
  ]);
});

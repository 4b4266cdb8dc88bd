import { expect, test } from 'vitest';
import { limitField, policyField } from '../../src/rate-limit/rate-policy.ts';

const LIMIT = { id: 'key', name: 'api-key', policy: { perSecond: 1_000, burst: 10_000 } } as const;

test('the burst, and the seconds that fill it', () => {
  expect(policyField(LIMIT)).toBe('"api-key";q=10000;w=10');
});

test.each([
  ['what is left', 4_200, undefined, '"api-key";r=4200'],
  ['at most the burst, when the bucket has filled up beside a lease', 10_526, undefined, '"api-key";r=10000'],
  ['when more will pass', 0, 1, '"api-key";r=0;t=1'],
])('%s', (_, remaining, seconds, field) => {
  expect(limitField(LIMIT, remaining, seconds)).toBe(field);
});

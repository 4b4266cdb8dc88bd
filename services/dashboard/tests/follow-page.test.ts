import { expect, test } from 'vitest';
import { describeAcknowledgement, describeRejected } from '../src/follow/describe-sent.ts';
import { identityOf, readFollowSearch } from '../src/follow/follow-search.ts';

const STORED = {
  ...{ topic: 'readings', partition: 3, offset: 88_412, replicas: 3, in_sync_replicas: 2 },
  ...{ replicas_checked_at: '2026-11-21T06:30:00.000Z', acknowledged_after_ms: 4 },
};
const RECEIVED = Date.parse('2026-11-21T06:30:06.000Z');

test('an acknowledgement names what is known, and nothing else', () => {
  expect(describeAcknowledgement(STORED, RECEIVED)).toBe(
    'In partition 3 at offset 88,412 of readings, with 2 of 3 replicas in sync (checked 6 s before).',
  );
  const { topic, partition, acknowledged_after_ms } = STORED;
  expect(describeAcknowledgement({ topic, partition, acknowledged_after_ms }, RECEIVED)).toBe(
    'In partition 3 of readings.',
  );
  expect(describeAcknowledgement(null, RECEIVED)).toMatch(/does not report/);
});

test.each([
  [401, null, 'Invalid API key', /^Rejected: invalid API key It is unknown, revoked or expired\./, true],
  [403, 'rack_mismatch', 'other rack', /^Rejected: Key not valid for this rack other rack\. Use a key/, true],
  [429, 'rate_limited', 'slow', /^Rejected: Rate limit exceeded slow\. .* Retry in 7 s\.$/, false],
  [503, 'unavailable', 'busy', /^Not acknowledged busy\. .*Retry in 7 s\.$/, false],
  [500, null, null, /^Not acknowledged/, false],
] as const)('%i says what to do', (status, code, error, words, leadsToKeys) => {
  const reading = { rack: 'r', keg: 'k', value: 1, timestamp: '2026-11-21T06:30:00Z' };
  const result = { reading, status, code, error, retryAfterSeconds: 7, receivedAt: null, stored: null };
  const rejected = describeRejected(result);
  expect(`${rejected.title} ${rejected.text}`).toMatch(words);
  expect(rejected.leadsToKeys).toBe(leadsToKeys);
});

test('a URL names a reading only with its whole identity', () => {
  const whole = { rack: 17, keg: 'k', timestamp: '2026-11-21T06:30:00Z', value: 0.1 };
  expect(identityOf(readFollowSearch(whole))).toEqual({ ...whole, rack: '17' });
  expect(identityOf(readFollowSearch({ ...whole, value: 'x' }))).toBeUndefined();
  expect(readFollowSearch({ rack: 'r' })).toEqual({ rack: 'r' });
});

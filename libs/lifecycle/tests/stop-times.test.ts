import { expect, it } from 'vitest';
import { stopTimes } from '../src/index.ts';

it.each([
  ['what the deadline leaves', 5_000, 25_000, 17_000],
  ['all but the closing without a delay', 0, 20_000, 17_000],
  ['a second when the deadline leaves none', 5_000, 5_000, 1_000],
])('gives requests in progress %s', (_case, delay, deadline, drainMs) => {
  expect(stopTimes({ DEREGISTRATION_DELAY_MS: delay, SHUTDOWN_DEADLINE_MS: deadline })).toEqual({
    deregistrationDelayMs: delay,
    drainMs,
  });
});

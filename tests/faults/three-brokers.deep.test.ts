import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { playRound } from './play-round.ts';
import { leaderKilled } from './rounds/leader-killed.ts';
import { startHarness } from './harness.ts';
import type { Harness } from './harness.ts';

// A machine may be busy, and nothing in here is about time.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 });

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness({ brokers: 3 });
});

afterAll(() => harness.stop());

test.each([leaderKilled(1)])('$name', async (round) => {
  expect((await playRound(harness, round)).problems).toEqual([]);
});

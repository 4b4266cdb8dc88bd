import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { playRound } from './play-round.ts';
import { leaderKilled } from './rounds/leader-killed.ts';
import { startStage } from './stage.ts';
import type { Stage } from './stage.ts';

// A machine may be busy, and nothing in here is about time.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 });

let stage: Stage;

beforeAll(async () => {
  stage = await startStage({ brokers: 3 });
});

afterAll(() => stage.stop());

test.each([leaderKilled(1)])('$name', async (round) => {
  expect((await playRound(stage, round)).problems).toEqual([]);
});

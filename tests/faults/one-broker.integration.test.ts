import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { playRound } from './play-round.ts';
import { connectionsCut, connectionsSlow, connectionsStalled } from './rounds/connections.ts';
import { killEach, pauseEach, terminateEach } from './rounds/every-process.ts';
import { redisEmptied } from './rounds/redis-emptied.ts';
import { PROXIED, startStage } from './stage.ts';
import type { Stage } from './stage.ts';

/*
 * The short version of each fault that needs no other machine and no root, on one running product. The long ones:
 * `npx -y pnpm@12 faults`.
 */

// A machine may be busy, and nothing in here is about time.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 });

let stage: Stage;

beforeAll(async () => {
  stage = await startStage({ proxied: PROXIED });
});

afterAll(() => stage.stop());

test.each([
  killEach,
  terminateEach,
  pauseEach,
  connectionsCut,
  connectionsStalled,
  connectionsSlow,
  redisEmptied,
])('$name', async (round) => {
  expect((await playRound(stage, round)).problems).toEqual([]);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { playRound } from './play-round.ts';
import { keysAway, replicaPaused } from './rounds/auth-away.ts';
import { forgedKeys } from './rounds/auth-forged-keys.ts';
import { redisForgets } from './rounds/auth-redis.ts';
import { revocations } from './rounds/auth-revocations.ts';
import { startHarness } from './harness.ts';
import type { Harness } from './harness.ts';

/* Authentication under attack and in outages, over three replicas. The long rounds: `npx -y pnpm@12 faults`. */

let harness: Harness;

beforeAll(async () => {
  const stale = { KEY_STALE_MAX_SECONDS: '4' };
  harness = await startHarness({ ingestReplicas: 3, env: { ingest: stale, 'key-service': stale } });
}, 300_000);

afterAll(() => harness.stop());

test.each([forgedKeys(6_000), revocations(20), redisForgets(1), replicaPaused(1), keysAway(1)])(
  '$name',
  { timeout: 300_000 },
  async (round) => {
    const report = await playRound(harness, round);
    process.stdout.write(`${JSON.stringify(report)}\n`);
    expect(report.problems).toEqual([]);
  },
);

import { keysAway, replicaPaused } from '../rounds/auth-away.ts';
import { redisForgets } from '../rounds/auth-redis.ts';
import { revocations } from '../rounds/auth-revocations.ts';
import type { Row } from '../row.ts';
import type { HarnessOptions } from '../harness.ts';

function replicas(staleMaxSeconds: number): HarnessOptions {
  const stale = { KEY_STALE_MAX_SECONDS: String(staleMaxSeconds) };
  return { ingestReplicas: 3, env: { ingest: stale, 'key-service': stale } };
}

export const keys: Row = {
  name: 'keys',
  title:
    'Redis emptied, killed, paused and restored; key-service and PostgreSQL unavailable for longer than `KEY_STALE_MAX_SECONDS`',
  goal: '0 unknown or revoked keys accepted; known keys accepted as documented, then 503; no 401 for a valid key',
  parts: [
    { name: 'Redis, 5 times each', minutes: 8, harness: replicas(600), round: redisForgets(5) },
    { name: 'away, 3 times each', minutes: 9, harness: replicas(30), round: keysAway(3) },
    {
      name: 'a replica stands still, 10 times',
      minutes: 4,
      harness: replicas(600),
      round: replicaPaused(10),
    },
    { name: '200 revocations', minutes: 9, harness: replicas(600), round: revocations(200) },
  ],
};

import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replace, whileDown, whilePaused } from '../faults/processes.ts';
import { emptyRedis } from '../faults/redis-emptied.ts';
import type { Round, RunningRound } from '../round.ts';
import { withWitness } from './auth-witness.ts';
import type { Witness, WitnessKey } from './auth-witness.ts';

/** Redis loses what it knows in every way that there is, around a revocation each time. */
export function redisForgets(times: number): Round {
  return {
    name: `Redis emptied, killed, paused and put back to an old snapshot around revocations, ${times} times each`,
    fault: (run) =>
      withWitness(run, async (witness) => {
        for (let i = 0; i < times; i++) {
          await aroundRevocations(run, witness, () => emptyRedis(run));
          await aroundRevocations(run, witness, () => replace(run, 'redis', 'SIGKILL'));
          await revokedWhilePaused(run, witness);
          await putBack(run, witness);
        }
      }),
  };
}

/** A key is revoked before, and another after it. */
async function aroundRevocations(
  run: RunningRound,
  witness: Witness,
  fault: () => Promise<void>,
): Promise<void> {
  const [before, after] = [await copiedKey(witness), await copiedKey(witness)];
  await witness.revoke(before);
  await fault();
  await witness.untilEvery('good', after);
  await witness.revoke(after);
  await freshReplicasReject(run, witness, [before, after]);
}

async function revokedWhilePaused(run: RunningRound, witness: Witness): Promise<void> {
  const key = await copiedKey(witness);
  await whilePaused(run, 'redis', () => witness.revoke(key));
  await freshReplicasReject(run, witness, [key]);
}

/** Redis starts from its files of before the revocation, in which the key is good. */
async function putBack(run: RunningRound, witness: Witness): Promise<void> {
  const files = join(run.harness.dataDir, 'redis');
  const snapshot = join(run.harness.dataDir, 'redis-snapshot');
  const key = await copiedKey(witness);
  await cp(files, snapshot, { recursive: true });
  await witness.revoke(key);
  await whileDown(run, 'redis', async () => {
    for (const name of await readdir(files)) await rm(join(files, name), { recursive: true });
    await cp(snapshot, files, { recursive: true });
  });
  await rm(snapshot, { recursive: true });
  await freshReplicasReject(run, witness, [key]);
}

/** A key that every replica has looked up, so that Redis has a copy. */
async function copiedKey(witness: Witness): Promise<WitnessKey> {
  const key = await witness.createKey();
  await witness.untilEvery('good', key);
  return key;
}

/** A replica with an empty cache calls key-service, which reads from Redis. */
async function freshReplicasReject(
  run: RunningRound,
  witness: Witness,
  keys: readonly WitnessKey[],
): Promise<void> {
  await replace(run, 'ingest', 'SIGKILL', 0);
  for (const key of keys) await witness.untilEvery('bad', key);
}

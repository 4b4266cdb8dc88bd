import { until } from '@cellarman/local-stack';
import { whileDown, whilePaused } from '../faults/processes.ts';
import type { Round, RunningRound } from '../round.ts';
import { withWitness } from './auth-witness.ts';
import type { Witness } from './auth-witness.ts';

const WITHOUT = ['key-service', 'postgres'] as const;

/**
 * Without key-service, and without PostgreSQL, for longer than KEY_STALE_MAX_SECONDS, which the harness sets low: known keys
 * stay valid and are then rejected as retryable. No valid key is reported as invalid, and no other key is accepted.
 */
export function keysAway(times: number): Round {
  return {
    name: `key-service and PostgreSQL away longer than KEY_STALE_MAX, ${times} times each`,
    fault: (run) =>
      withWitness(run, async (witness) => {
        for (let i = 0; i < times; i++) {
          for (const name of WITHOUT) await awayTooLong(run, witness, name);
        }
      }),
  };
}

async function awayTooLong(
  run: RunningRound,
  witness: Witness,
  name: (typeof WITHOUT)[number],
): Promise<void> {
  const [known, revoked, unused] = [
    await witness.createKey(),
    await witness.createKey(),
    await witness.createKey(),
  ];
  await witness.untilEvery('good', known);
  await witness.untilEvery('good', revoked);
  witness.expectGood(known);
  await witness.revoke(revoked);
  await whileDown(run, name, async () => {
    // Nobody can know it. That is no reason to call it bad.
    witness.expectGood(unused);
    await knownKeysGoOn(witness);
    await witness.untilEvery('later', known);
    await witness.untilEvery('later', unused);
    await witness.untilEvery('later', revoked);
  });
  await witness.untilEvery('good', known);
  await witness.untilEvery('good', unused);
  await witness.untilEvery('bad', revoked);
}

async function knownKeysGoOn(witness: Witness): Promise<void> {
  const before = witness.heard().good;
  await until('known keys go on', () => witness.heard().good > before);
}

/** Longer than a replica trusts its last pull. */
const PAUSE_MS = 3_000;

/** A replica is paused while a key in its cache is revoked: it must then pull changes before it accepts the key. */
export function replicaPaused(times: number): Round {
  return {
    name: `a replica stands still while a key is revoked, ${times} times`,
    fault: (run) =>
      withWitness(run, async (witness) => {
        for (let i = 0; i < times; i++) {
          const key = await witness.createKey();
          await witness.untilEvery('good', key);
          const [url = ''] = run.harness.product.run().ingestUrls;
          const answers: ReturnType<Witness['ask']>[] = [];
          await whilePaused(run, 'ingest', async () => {
            const paused = performance.now();
            await witness.begin(key);
            // These wait in its sockets, and are the first that it sees.
            answers.push(...Array.from({ length: 20 }, () => witness.ask(url, key.secret)));
            await until('it has stood still for long', () => performance.now() - paused > PAUSE_MS);
          });
          const opinions = await Promise.all(answers);
          if (opinions.includes('good')) throw new Error('A replica that had stood still took a revoked key');
          await witness.untilEvery('bad', key);
        }
      }),
  };
}

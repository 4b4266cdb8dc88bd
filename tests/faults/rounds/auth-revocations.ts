import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '@cellarman/bench/percentile';
import { revokeAndWatch } from '@cellarman/bench/keys/revoke-and-watch';
import { replace } from '../faults/processes.ts';
import { insist } from '../insist.ts';
import type { Round, RunningRound } from '../round.ts';
import { withWitness } from './auth-witness.ts';
import type { Witness } from './auth-witness.ts';

const AT_ONCE = 2;
/** In between come others, so that revocations meet every moment of an outage. */
const KILL_AFTER_EACH = 5;

/** Keys are revoked while Redis and key-service are killed alternately: in the end every replica rejects them permanently. */
export function revocations(count: number): Round {
  return {
    name: `${count} revocations, with Redis and key-service killed in between`,
    fault: (run) => withWitness(run, (witness) => revokeAll(run, witness, count)),
  };
}

async function revokeAll(run: RunningRound, witness: Witness, count: number): Promise<void> {
  const { ingestUrls: urls } = run.harness.product.run();
  const { cellar } = witness;
  const waits: number[] = [];
  let left = count;
  const done = new AbortController();

  async function revokeInTurn(): Promise<void> {
    while (left-- > 0) {
      const { id, secret } = await insist(() => witness.createKey());
      const revoke = () => insist(() => witness.begin({ id, secret }));
      waits.push(...(await revokeAndWatch({ urls, cellar, apiKey: secret, revoke, deadlineMs: 60_000 })));
      // It is rejected everywhere; from now on the witness holds every replica to it.
      await insist(() => witness.revoke({ id, secret }));
    }
  }

  async function killByTurns(): Promise<number> {
    let kills = 0;
    while (!done.signal.aborted) {
      if (waits.length < (kills + 1) * KILL_AFTER_EACH) await delay(50);
      else await replace(run, kills++ % 2 === 0 ? 'redis' : 'key-service', 'SIGKILL');
    }
    return kills;
  }

  const killing = killByTurns();
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, revokeInTurn));
  } finally {
    done.abort();
  }
  if ((await killing) < 2) throw new Error('Redis and key-service were not both killed');
  waits.sort((a, b) => a - b);
  run.note('ms from a revocation to its rejection, p50', Math.round(percentile(waits, 0.5)));
  run.note('ms from a revocation to its rejection, p99', Math.round(percentile(waits, 0.99)));
  run.note('ms from a revocation to its rejection, at most', Math.round(percentile(waits, 1)));
}

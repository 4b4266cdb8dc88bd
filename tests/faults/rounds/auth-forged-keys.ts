import { attack } from '../attack.ts';
import type { Round } from '../round.ts';
import { withWitness } from './auth-witness.ts';

/** Forged keys, most with a right checksum, as fast as they are rejected. New keys get in meanwhile, and revoked ones out. */
export function forgedKeys(count: number): Round {
  return {
    name: `${count} forged keys`,
    fault: (run) =>
      withWitness(run, async (witness) => {
        const attacking = attack({
          urls: run.harness.product.run().ingestUrls,
          goodKey: run.apiKey,
          cellar: run.cellar,
          count,
          connections: 64,
        });
        let ended = false;
        const end = attacking.finally(() => (ended = true));
        const isOver = (): boolean => ended;
        let newKeys = 0;
        try {
          for (; newKeys < 3 || !isOver(); newKeys++) {
            const key = await witness.createKey();
            await witness.untilEvery('good', key);
            await witness.revoke(key);
          }
        } finally {
          await end;
        }
        const { accepted, answers } = await attacking;
        if (accepted.length > 0) throw new Error(`${accepted.length} forged keys were taken: ${accepted[0]}`);
        const rejected = answers['401'] ?? 0;
        run.note('forged keys rejected with 401', rejected);
        run.note('keys made, used and revoked meanwhile', newKeys);
        if (rejected < count / 2)
          throw new Error(`Only ${rejected} forged keys were judged: the attack did not happen`);
      }),
  };
}

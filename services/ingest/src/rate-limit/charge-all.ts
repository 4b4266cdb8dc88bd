import { openCharge } from './charge.ts';
import type { Charge, ChargeOptions } from './charge.ts';
import type { RateLimit } from './rate-policy.ts';

/** The charge of a request that pays from several buckets: each pays all of it, in order. */
export function chargeAll(
  limits: readonly RateLimit[],
  options: Pick<ChargeOptions, 'limiter' | 'paid'>,
): Charge {
  const charges = limits.map(({ id, policy }) => openCharge({ ...options, keyId: id, policy }));

  function each(work: (charge: Charge) => void | Promise<void>, from = 0): void | Promise<void> {
    for (let i = from; i < charges.length; i++) {
      const pending = work(charges[i] as Charge);
      if (pending !== undefined) return pending.then(() => each(work, i + 1));
    }
    return undefined;
  }

  return {
    raiseTo: (tokens) => each((charge) => charge.raiseTo(tokens)),
    async debit(tokens) {
      await each((charge) => charge.debit(tokens));
    },
    assertCanRaiseTo: (tokens, total) => each((charge) => charge.assertCanRaiseTo(tokens, total)),
    get reach() {
      return Math.min(...charges.map(({ reach }) => reach));
    },
  };
}

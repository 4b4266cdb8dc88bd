import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answers } from './http/answers.ts';
import type { KnownKey } from './key-cache/known-key.ts';
import type { Limiter } from './rate-limit/limiter.ts';
import { limitField, policyField } from './rate-limit/rate-policy.ts';
import type { RatePolicy } from './rate-limit/rate-policy.ts';

/** Added to Retry-After by chance, so that refused clients do not come back together. */
const RETRY_SPREAD_SECONDS = 3;

export interface LimitRateOptions {
  answers: Answers;
  limiter: Limiter;
  /** For keys without a rate or a burst of their own. */
  defaults: RatePolicy;
}

/** Step 2: how much a key may send. A reading counts even when it is refused later. */
export function createLimitRate({ answers, limiter, defaults }: LimitRateOptions) {
  function decide(waitMs: number, policy: RatePolicy, reply: FastifyReply, done: () => void): void {
    if (waitMs === 0) {
      done();
      return;
    }
    const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
    reply.header('ratelimit-policy', policyField(policy));
    reply.header('ratelimit', limitField(0, seconds));
    reply.header('retry-after', String(seconds + Math.floor(Math.random() * RETRY_SPREAD_SECONDS)));
    answers.refuse(reply, 'rate_limited', 'The API key has used up its rate');
  }

  return function limitRate(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const { record } = request.apiKey as KnownKey;
    const policy = {
      perSecond: record.ratePerSecond ?? defaults.perSecond,
      burst: record.rateBurst ?? defaults.burst,
    };
    const waitMs = limiter.take(record.id, policy);
    if (typeof waitMs === 'number') decide(waitMs, policy, reply, done);
    else void waitMs.then((ms) => decide(ms, policy, reply, done));
  };
}

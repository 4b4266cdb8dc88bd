import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answers } from './http/answers.ts';
import type { KnownKey } from './key-cache/known-key.ts';
import { openCharge } from './rate-limit/charge.ts';
import type { Charge, RateExceeded } from './rate-limit/charge.ts';
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

export interface LimitRate {
  /** Step 2: how much a key may send. A reading counts even when it is refused later. */
  limitRate: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;
  /** What a request costs besides the token that `limitRate` has taken. */
  openCharge: (request: FastifyRequest) => Charge;
  /** 429. */
  refuseExceeded: (request: FastifyRequest, reply: FastifyReply, exceeded: RateExceeded) => void;
  /** The headers that say how much more the key may send: name, value, name, value. */
  rateHeaders: (request: FastifyRequest) => readonly string[];
}

export function createLimitRate({ answers, limiter, defaults }: LimitRateOptions): LimitRate {
  function policyOf({ record }: KnownKey): RatePolicy {
    return {
      perSecond: record.ratePerSecond ?? defaults.perSecond,
      burst: record.rateBurst ?? defaults.burst,
    };
  }

  /** Returns whether the request passes. */
  function decide(waitMs: number, policy: RatePolicy, reply: FastifyReply): boolean {
    if (waitMs === 0) return true;
    const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
    reply.header('ratelimit-policy', policyField(policy));
    reply.header('ratelimit', limitField(0, seconds));
    reply.header('retry-after', String(seconds + Math.floor(Math.random() * RETRY_SPREAD_SECONDS)));
    answers.refuse(reply, 'rate_limited', 'The API key has used up its rate');
    return false;
  }

  return {
    limitRate(request, reply, done) {
      const key = request.apiKey as KnownKey;
      const policy = policyOf(key);
      const waitMs = limiter.take(key.record.id, policy);
      if (typeof waitMs !== 'number') {
        void waitMs.then((ms) => {
          if (decide(ms, policy, reply)) done();
        });
      } else if (decide(waitMs, policy, reply)) done();
    },
    openCharge(request) {
      const key = request.apiKey as KnownKey;
      return openCharge({ limiter, keyId: key.record.id, policy: policyOf(key), paid: 1 });
    },
    refuseExceeded(request, reply, { waitMs }) {
      decide(waitMs, policyOf(request.apiKey as KnownKey), reply);
    },
    rateHeaders(request) {
      const key = request.apiKey as KnownKey;
      const policy = policyOf(key);
      const left = limiter.left(key.record.id, policy);
      const seconds = left >= 1 ? undefined : Math.max(1, Math.ceil((1 - left) / policy.perSecond));
      return ['ratelimit-policy', policyField(policy), 'ratelimit', limitField(Math.max(0, left), seconds)];
    },
  };
}

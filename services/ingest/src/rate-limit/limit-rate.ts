import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Responses } from '../http/responses.ts';
import type { KnownKey } from '../key-cache/known-key.ts';
import { chargeAll } from './charge-all.ts';
import type { Charge, RateExceeded } from './charge.ts';
import type { Limiter } from './limiter.ts';
import { createLimitsOf } from './limits-of.ts';
import { limitField, policyField } from './rate-policy.ts';
import type { RateLimit, RatePolicy } from './rate-policy.ts';
import { takeAll } from './take-all.ts';
import type { Exceeded } from './take-all.ts';
import type { RejectionPace } from '../shed-load/rejection-pace.ts';

/** Upper bound of the jitter added to Retry-After, so that rejected clients do not retry together. */
const RETRY_SPREAD_SECONDS = 3;

export interface LimitRateOptions {
  responses: Responses;
  limiter: Limiter;
  /** Slows down connections that ignore Retry-After while the process is busy. */
  pace: Pick<RejectionPace, 'follow'>;
  /** For keys without a rate or a burst of their own. */
  defaults: RatePolicy;
}

export interface LimitRate {
  /** Step 2: how much a key may send. A reading counts even when it is rejected later. */
  limitRate: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;
  /** What a request costs besides the token that `limitRate` has taken. */
  openCharge: (request: FastifyRequest) => Charge;
  /** 429. */
  rejectExceeded: (request: FastifyRequest, reply: FastifyReply, exceeded: RateExceeded) => void;
  /** The headers that say how much more the key may send: name, value, name, value. */
  rateHeaders: (request: FastifyRequest) => readonly string[];
}

const MESSAGES = {
  'api-key': 'Rate limit exceeded for this API key',
  cellar: 'Rate limit exceeded for the API keys of this cellar',
};

export function createLimitRate({ responses, limiter, pace, defaults }: LimitRateOptions): LimitRate {
  const limitsOf = createLimitsOf(defaults);
  const limitsFor = (request: FastifyRequest) => limitsOf((request.apiKey as KnownKey).record);

  function reject({ limit, waitMs }: Exceeded, reply: FastifyReply): void {
    const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
    pace.follow(reply);
    responses.rejectRate(reply, MESSAGES[limit.name], [
      'ratelimit-policy',
      policyField(limit),
      'ratelimit',
      limitField(limit, 0, seconds),
      'retry-after',
      String(seconds + Math.floor(Math.random() * RETRY_SPREAD_SECONDS)),
    ]);
  }

  return {
    limitRate(request, reply, done) {
      const decide = (exceeded: Exceeded | undefined): void => {
        if (exceeded === undefined) done();
        else reject(exceeded, reply);
      };
      const exceeded = takeAll(limiter, limitsFor(request));
      if (exceeded instanceof Promise) void exceeded.then(decide);
      else decide(exceeded);
    },
    openCharge: (request) => chargeAll(limitsFor(request), { limiter, paid: 1 }),
    rejectExceeded(request, reply, { policy, waitMs }) {
      const limits = limitsFor(request);
      const limit = limits.find((candidate) => candidate.policy === policy) ?? limits[0];
      if (limit === undefined) throw new Error('the key has no limit');
      reject({ limit, waitMs }, reply);
    },
    rateHeaders(request) {
      // The one that is exceeded first.
      const [{ limit, left }] = limitsFor(request)
        .map((limit) => ({ limit, left: limiter.left(limit.id, limit.policy) }))
        .toSorted((a, b) => a.left - b.left) as [{ limit: RateLimit; left: number }];
      const seconds = left >= 1 ? undefined : Math.max(1, Math.ceil((1 - left) / limit.policy.perSecond));
      return [
        'ratelimit-policy',
        policyField(limit),
        'ratelimit',
        limitField(limit, Math.max(0, left), seconds),
      ];
    },
  };
}

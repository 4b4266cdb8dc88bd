import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { networksOf } from '../http/networks-of.ts';
import { Refusal } from '../http/refusal.ts';

const WINDOW_SECONDS = 15 * 60;

/**
 * Attempts that may fail within the window. The pair stops guessing; the networks of the address stop trying one password on
 * many accounts, for IPv6 by /64, /56 and /48; the account alone stops many addresses, and is high, because it also shuts
 * out its owner.
 */
const LIMITS = { pair: 5, networks: [50, 100, 200], account: 100 } as const;

/** Counts the attempt everywhere, or nowhere when a limit is reached; then it answers for how long, in seconds. */
const TAKE = `
  for i = 1, #KEYS do
    if tonumber(redis.call('GET', KEYS[i]) or '0') >= tonumber(ARGV[i + 1]) then
      return math.max(redis.call('TTL', KEYS[i]), 1)
    end
  end
  for i = 1, #KEYS do
    if redis.call('INCR', KEYS[i]) == 1 then redis.call('EXPIRE', KEYS[i], ARGV[1]) end
  end
  return 0
`;

/** The attempt was right after all: the pair starts anew, the others forget this one. */
const GIVE_BACK = `
  redis.call('DEL', KEYS[1])
  for i = 2, #KEYS do
    if redis.call('EXISTS', KEYS[i]) == 1 then redis.call('DECR', KEYS[i]) end
  end
  return 0
`;

/**
 * Limits sign-in attempts, over all replicas, by addresses as they are stored. An attempt counts before its password is
 * checked, so that many at once gain nothing.
 */
export function createSignInThrottle({ redis, prefix }: { redis: Redis; prefix: string }) {
  /** Names in Redis with their limits; the pair is the first. */
  const counters = (email: string, address: string, isCertain: boolean): [string, number][] => {
    const account = digest(email);
    const networks = networksOf(address);
    const stem = `${prefix}{sign-in}:`;
    // One address that all share would shut out everybody.
    const counted = isCertain ? networks : [];
    return [
      [`${stem}pair:${account}:${digest(networks[0])}`, LIMITS.pair],
      ...counted.map((network, step): [string, number] => [
        `${stem}address:${digest(network)}`,
        LIMITS.networks[step] ?? LIMITS.networks[0],
      ]),
      [`${stem}account:${account}`, LIMITS.account],
    ];
  };
  const evaluate = (script: string, counted: [string, number][]) =>
    orUnavailable(() =>
      redis.eval(
        script,
        counted.length,
        ...counted.map(([name]) => name),
        WINDOW_SECONDS,
        ...counted.map(([, limit]) => limit),
      ),
    );

  return {
    /**
     * @param isCertain false: the address alone limits nothing, see `Client`
     * @throws {Refusal} `rate_limited`
     */
    async take(email: string, address: string, { isCertain = true } = {}): Promise<void> {
      const wait = await evaluate(TAKE, counters(email, address, isCertain));
      if (Number(wait) > 0) {
        throw new Refusal('rate_limited', 'Too many attempts to sign in. Try again later.', {
          retryAfterSeconds: Number(wait),
        });
      }
    },

    async giveBack(email: string, address: string, { isCertain = true } = {}): Promise<void> {
      await evaluate(GIVE_BACK, counters(email, address, isCertain));
    },
  };
}

export type SignInThrottle = ReturnType<typeof createSignInThrottle>;

/** Names in Redis have a fixed length, and no address of a person stands there. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** An attempt that cannot be counted is not made: an answer for the person in front of the screen. */
async function orUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new Refusal('unavailable', 'Sign-in attempts cannot be counted. Try again.', { cause: error });
  }
}

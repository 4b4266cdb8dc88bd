import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Redis } from 'ioredis';
import { Refusal } from '../http/refusal.ts';

const WINDOW_SECONDS = 15 * 60;

/**
 * Attempts that may fail within the window. The pair stops guessing; the address stops trying one password on many
 * accounts; the account alone stops many addresses, and is high, because it also shuts out its owner.
 */
const LIMITS = { pair: 5, address: 50, account: 100 } as const;

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
  const names = (email: string, address: string) => {
    const account = digest(email);
    const from = digest(networkOf(address));
    const stem = `${prefix}{sign-in}:`;
    return [`${stem}pair:${account}:${from}`, `${stem}address:${from}`, `${stem}account:${account}`];
  };
  const limits = [LIMITS.pair, LIMITS.address, LIMITS.account];

  return {
    /** @throws {Refusal} `rate_limited` */
    async take(email: string, address: string): Promise<void> {
      const wait = await orUnavailable(() =>
        redis.eval(TAKE, limits.length, ...names(email, address), WINDOW_SECONDS, ...limits),
      );
      if (Number(wait) > 0) {
        throw new Refusal('rate_limited', 'Too many attempts to sign in. Try again later.', {
          retryAfterSeconds: Number(wait),
        });
      }
    },

    async giveBack(email: string, address: string): Promise<void> {
      await orUnavailable(() => redis.eval(GIVE_BACK, limits.length, ...names(email, address)));
    },
  };
}

export type SignInThrottle = ReturnType<typeof createSignInThrottle>;

/** One customer of a provider gets a whole /64 of IPv6 addresses. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const rest = tail.split(':').filter((group) => group !== '');
  const zeros = Array.from({ length: Math.max(8 - groups.length - rest.length, 0) }, () => '0');
  return [...groups, ...zeros, ...rest].slice(0, 4).join(':');
}

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

import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { networksOf } from '../http/networks-of.ts';
import { ApiError } from '@cellarman/http-api';

const WINDOW_SECONDS = 15 * 60;

/**
 * Attempts that may fail within the window. The limit of the pair stops guessing. The limits of the client's networks (for IPv6
 * the /64, /56 and /48) stop attempts with one password on many accounts. The limit of the account stops attempts from many
 * networks, and is high, because it also locks out its owner.
 */
const LIMITS = { pair: 5, networks: [50, 100, 200], account: 100 } as const;

/** Counts the attempt everywhere, or nowhere when a limit is reached; then it returns which, and for how many seconds. */
const TAKE = `
  for i = 1, #KEYS do
    if tonumber(redis.call('GET', KEYS[i]) or '0') >= tonumber(ARGV[i + 1]) then
      return { i, math.max(redis.call('TTL', KEYS[i]), 1) }
    end
  end
  for i = 1, #KEYS do
    if redis.call('INCR', KEYS[i]) == 1 then redis.call('EXPIRE', KEYS[i], ARGV[1]) end
  end
  return { 0, 0 }
`;

/** The attempt succeeded: the counter of the pair is reset, the others drop this attempt. */
const GIVE_BACK = `
  redis.call('DEL', KEYS[1])
  for i = 2, #KEYS do
    if redis.call('EXISTS', KEYS[i]) == 1 then redis.call('DECR', KEYS[i]) end
  end
  return 0
`;

/** A limit that is reached. */
export interface LockOut {
  limit: 'account_and_address' | 'network' | 'account';
  /** For the limit of a network. */
  network?: string | undefined;
  /** The name of its counter in Redis. */
  counter: string;
  /** Until it ends. */
  seconds: number;
}

export class LockedOut extends ApiError {
  readonly lockOut: LockOut;

  constructor(lockOut: LockOut) {
    super('rate_limited', 'Too many sign-in attempts. Try again later.', {
      retryAfterSeconds: lockOut.seconds,
    });
    this.lockOut = lockOut;
  }
}

interface Counter extends Omit<LockOut, 'seconds'> {
  most: number;
}

/**
 * Limits sign-in attempts over all replicas, by normalized IP and email address. An attempt counts before its password is
 * checked, so that concurrent attempts gain nothing.
 */
export function createSignInThrottle({ redis, prefix }: { redis: Redis; prefix: string }) {
  /** The pair is the first. */
  const counters = (email: string, address: string, isCertain: boolean): Counter[] => {
    const account = digest(email);
    const networks = networksOf(address);
    const stem = `${prefix}{sign-in}:`;
    // Limiting an IP address that all clients share would lock out every user.
    const counted = isCertain ? networks : [];
    return [
      {
        limit: 'account_and_address',
        counter: `${stem}pair:${account}:${digest(networks[0])}`,
        most: LIMITS.pair,
      },
      ...counted.map((network, step) => ({
        limit: 'network' as const,
        network,
        counter: `${stem}address:${digest(network)}`,
        most: LIMITS.networks[step] ?? LIMITS.networks[0],
      })),
      { limit: 'account', counter: `${stem}account:${account}`, most: LIMITS.account },
    ];
  };
  const evaluate = (script: string, counted: Counter[]) =>
    orUnavailable(() =>
      redis.eval(
        script,
        counted.length,
        ...counted.map(({ counter }) => counter),
        WINDOW_SECONDS,
        ...counted.map(({ most }) => most),
      ),
    );

  return {
    /**
     * @param isCertain false: the IP address alone limits nothing, see `Client`
     * @throws {LockedOut} `rate_limited`
     */
    async take(email: string, address: string, { isCertain = true } = {}): Promise<void> {
      const counted = counters(email, address, isCertain);
      const [reached, seconds] = (await evaluate(TAKE, counted)) as [number, number];
      const first = counted[reached - 1];
      if (first === undefined) return;
      const { limit, network, counter } = first;
      throw new LockedOut({ limit, network, counter, seconds });
    },

    async giveBack(email: string, address: string, { isCertain = true } = {}): Promise<void> {
      await evaluate(GIVE_BACK, counters(email, address, isCertain));
    },
  };
}

export type SignInThrottle = ReturnType<typeof createSignInThrottle>;

/** Hashed, so that names in Redis have a fixed length and contain no email address. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** Rejects an attempt that cannot be counted, with an error that the sign-in page shows. */
async function orUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new ApiError('unavailable', 'Sign-in is temporarily unavailable. Try again.', { cause: error });
  }
}

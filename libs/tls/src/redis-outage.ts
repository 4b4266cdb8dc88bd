import { createFirstHint } from './tls-hint.ts';

/** What the log says of a Redis that is away: one line, and another when an error says for the first time what to do. */
export interface RedisOutage {
  /** @returns what to add to the line, or undefined when there is to be none */
  failed(error: unknown): { hint?: string } | undefined;
  /** @returns whether an outage has ended: the first connection is none */
  ready(): boolean;
}

export function createRedisOutage(url: string): RedisOutage {
  const isFirstHint = createFirstHint();
  let isAway = false;
  let wasReady = false;
  return {
    failed(error) {
      const isTold = !isFirstHint(error) && isAway;
      isAway = true;
      if (isTold) return undefined;
      return wasReady ? {} : redisHint(url, error);
    },
    ready() {
      const hasEnded = isAway;
      isAway = false;
      wasReady = true;
      return hasEnded;
    },
  };
}

/** Returns a hint for the log when a Redis that was never reached resets a connection whose URL has no TLS. */
export function redisHint(url: string, error: unknown): { hint?: string } {
  const { code } = error as NodeJS.ErrnoException;
  return url.startsWith('redis://') && code === 'ECONNRESET'
    ? { hint: 'Redis closes the connection. If it accepts only TLS at this port, REDIS_URL needs rediss://.' }
    : {};
}

import type { Redis } from 'ioredis';

/** What happens to a Redis, done to some names only, so that other tests do not notice. */
export function createRedisSnapshots(redis: Redis, all: readonly string[]) {
  let snapshot: { name: string; dump: Buffer; ttl: number }[] = [];

  return {
    async flush(): Promise<void> {
      await redis.unlink(...all);
    },

    /** All names at one moment. */
    async take(): Promise<void> {
      const commands = redis.multi();
      for (const name of all) commands.dumpBuffer(name).pttl(name);
      const results = (await commands.exec()) ?? [];
      snapshot = all.flatMap((name, i) => {
        const dump = results[2 * i]?.[1] as Buffer | null;
        return dump === null ? [] : [{ name, dump, ttl: Number(results[2 * i + 1]?.[1]) }];
      });
    },

    /** Everything is as it was at the last snapshot. */
    async restore(): Promise<void> {
      const commands = redis.multi().unlink(...all);
      for (const { name, dump, ttl } of snapshot) commands.restore(name, Math.max(ttl, 0), dump);
      await commands.exec();
    },

    /** Redis is full and drops one name. */
    async evict(which: number): Promise<void> {
      const name = all[which % all.length];
      if (name !== undefined) await redis.unlink(name);
    },
  };
}

import { emptyRedis } from '../faults/redis-emptied.ts';
import type { Round } from '../round.ts';

export const redisEmptied: Round = {
  name: 'FLUSHALL of Redis',
  async fault(run) {
    await emptyRedis(run);
    await run.acknowledgedGrows(500);
  },
};

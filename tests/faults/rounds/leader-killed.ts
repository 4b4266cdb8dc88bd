import { busiestLeader } from '../faults/leaders.ts';
import { replace } from '../faults/processes.ts';
import type { Round } from '../round.ts';

/** One of three brokers dies, always the one that leads most partitions. */
export function leaderKilled(times: number): Round {
  return {
    name: `leader killed among 3 brokers, ${times} times`,
    bounds: { longestOutageMs: 20_000 },
    async fault(run) {
      for (let i = 0; i < times; i++) {
        const leader = await busiestLeader(run);
        if (leader.partitions.length === 0) throw new Error('Nobody leads a partition');
        run.say(`broker ${leader.index + 1} leads partitions ${leader.partitions.join(', ')}`);
        await replace(run, 'kafka', 'SIGKILL', leader.index);
        await run.acknowledgedGrows(500);
      }
    },
  };
}

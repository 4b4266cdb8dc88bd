import { PROCESSES, replace } from '../faults/processes.ts';
import type { ProcessName } from '../faults/processes.ts';
import { requestsSuffer } from '../faults/suffering.ts';
import type { Row } from '../row.ts';
import { LOAD } from './load.ts';

const TIMES = 20;
/** Those without which a reading cannot be taken. */
const NEEDED = new Set<ProcessName>(['ingest', 'kafka']);

export const kill: Row = {
  name: 'kill',
  title: `\`kill -9\` of each process, ${TIMES} times each`,
  goal: '0 missing, 0 duplicated, 0 altered over ≥ 1,000,000 acknowledged; ready in 10 s',
  parts: PROCESSES.map((name) => ({
    name,
    minutes: 6,
    round: {
      name: `kill -9 of ${name}, ${TIMES} times`,
      load: LOAD,
      settleMs: 180_000,
      isVerified: true,
      async fault(run) {
        for (let i = 0; i < TIMES; i++) {
          const once = async (): Promise<void> => {
            await run.publishInvalid(1);
            await replace(run, name, 'SIGKILL');
            await run.acknowledgedGrows(10_000);
          };
          await (NEEDED.has(name) ? requestsSuffer(run, once) : once());
        }
      },
    },
  })),
};

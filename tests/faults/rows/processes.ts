import { setTimeout as delay } from 'node:timers/promises';
import { PROCESSES, replace, whilePaused } from '../faults/processes.ts';
import type { Row } from '../row.ts';
import { LOAD } from './load.ts';

const PAUSE_MS = 20_000;

export const pause: Row = {
  name: 'pause',
  title: 'Each process paused for 20 s with SIGSTOP, twice',
  goal: '0 missing, 0 duplicated, 0 altered',
  parts: [
    {
      name: 'all',
      minutes: 9,
      round: {
        name: 'each process stopped for 20 s, twice',
        load: LOAD,
        settleMs: 180_000,
        async fault(run) {
          for (const name of [...PROCESSES, ...PROCESSES]) {
            await whilePaused(run, name, () => delay(PAUSE_MS));
            await run.acknowledgedGrows(10_000);
          }
        },
      },
    },
  ],
};

export const stop: Row = {
  name: 'stop',
  title: 'Graceful stop of each process, 5 times each',
  goal: '0 missing, 0 duplicated, 0 altered',
  parts: [
    {
      name: 'all',
      minutes: 9,
      round: {
        name: 'orderly stop of each process, 5 times each',
        load: LOAD,
        settleMs: 180_000,
        async fault(run) {
          for (let i = 0; i < 5; i++) {
            for (const name of PROCESSES) {
              // SIGTERM lets PostgreSQL wait for its clients to leave, for ever.
              await replace(run, name, name === 'postgres' ? 'SIGINT' : 'SIGTERM');
              await run.acknowledgedGrows(5_000);
            }
          }
        },
      },
    },
  ],
};

import { PROCESSES, replace, whilePaused } from '../faults/processes.ts';
import { requestsSuffer, untilRequestsFail } from '../faults/suffering.ts';
import type { Round } from '../round.ts';

/** Those without which a reading cannot be taken. */
const NEEDED = new Set(['ingest', 'kafka']);

export const killEach: Round = {
  name: 'kill -9 of each process',
  isVerified: true,
  async fault(run) {
    for (const name of PROCESSES) {
      const kill = async (): Promise<void> => {
        await run.publishInvalid(3);
        await replace(run, name, 'SIGKILL');
        await run.acknowledgedGrows(200);
      };
      await (NEEDED.has(name) ? requestsSuffer(run, kill) : kill());
    }
  },
};

export const terminateEach: Round = {
  name: 'orderly stop of each process',
  async fault(run) {
    for (const name of PROCESSES) {
      // SIGTERM lets PostgreSQL wait for its clients to leave, for ever.
      await replace(run, name, name === 'postgres' ? 'SIGINT' : 'SIGTERM');
      await run.acknowledgedGrows(200);
    }
  },
};

/** Shorter than the deadline of a request for what must not be missed, so long as to be noticed for the others. */
const PAUSE_READINGS = 500;

export const pauseEach: Round = {
  name: 'SIGSTOP and SIGCONT of each process',
  async fault(run) {
    for (const name of PROCESSES) {
      await whilePaused(run, name, async () => {
        if (name === 'kafka') await untilRequestsFail(run, 16);
        else if (name !== 'ingest') await run.acknowledgedGrows(PAUSE_READINGS);
      });
      await run.acknowledgedGrows(200);
    }
  },
};

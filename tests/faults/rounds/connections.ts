import { whileTroubled } from '../faults/connections.ts';
import { untilRequestsFail } from '../faults/suffering.ts';
import type { Round, RunningRound } from '../round.ts';
import { PROXIED } from '../harness.ts';
import type { Proxied } from '../harness.ts';

/** What must happen before a way is good again: without Kafka nothing is acknowledged, all else goes on. */
async function untilNoticed(run: RunningRound, name: Proxied): Promise<void> {
  if (name === 'kafka') await untilRequestsFail(run, 16);
  else await run.acknowledgedGrows(300);
}

export const connectionsCut: Round = {
  name: 'connections to each engine and to key-service cut',
  async fault(run) {
    for (const name of PROXIED) {
      await whileTroubled(run, name, { kind: 'cut' }, () => untilNoticed(run, name));
      await run.acknowledgedGrows(200);
    }
  },
};

export const connectionsStalled: Round = {
  name: 'connections to each engine and to key-service silent',
  async fault(run) {
    for (const name of PROXIED) {
      await whileTroubled(run, name, { kind: 'stalled' }, () => untilNoticed(run, name));
      await run.acknowledgedGrows(200);
    }
  },
};

export const connectionsSlow: Round = {
  name: 'connections to each engine and to key-service 200 ms late',
  async fault(run) {
    for (const name of PROXIED) {
      await whileTroubled(run, name, { kind: 'slow', delayMs: 200 }, () => run.acknowledgedGrows(100));
    }
    await run.acknowledgedGrows(200);
  },
};

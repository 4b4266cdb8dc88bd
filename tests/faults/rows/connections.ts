import { setTimeout as delay } from 'node:timers/promises';
import { whileTroubled } from '../faults/connections.ts';
import type { ProxyState } from '@cellarman/local-stack';
import type { Part, Row } from '../row.ts';
import { PROXIED } from '../harness.ts';
import { LOAD } from './load.ts';

const TROUBLE_MS = 30_000;

function part(name: string, state: ProxyState): Part {
  return {
    name,
    minutes: 5,
    harness: { proxied: PROXIED },
    round: {
      name: `connections ${name} for 30 s`,
      // Every byte passes through this process.
      load: { ...LOAD, rate: 2_000 },
      bounds: { slowestAnswerMs: 10_000 },
      settleMs: 180_000,
      async fault(run) {
        for (const proxied of PROXIED) {
          await whileTroubled(run, proxied, state, () => delay(TROUBLE_MS));
          await run.acknowledgedGrows(10_000);
        }
      },
    },
  };
}

export const connections: Row = {
  name: 'connections',
  title: 'Connections to each engine and to key-service cut, silent or delayed for 30 s',
  goal: '0 missing, 0 duplicated, 0 altered; no response later than 10 s',
  parts: [
    part('cut', { kind: 'cut' }),
    part('silent', { kind: 'stalled' }),
    part('300 ms late', { kind: 'slow', delayMs: 300 }),
  ],
};

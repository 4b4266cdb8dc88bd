import { setTimeout as delay } from 'node:timers/promises';
import { BROKERS_APART, whileCutOff } from '../faults/cut-off.ts';
import { busiestLeader } from '../faults/leaders.ts';
import { requestsSuffer } from '../faults/suffering.ts';
import { leaderKilled } from '../rounds/leader-killed.ts';
import type { Row } from '../row.ts';
import { LOAD } from './load.ts';

const CUT_OFF_MS = 60_000;

export const leader: Row = {
  name: 'leader-killed',
  title: 'Leader of 3 brokers killed, 10 times',
  goal: '0 missing, 0 duplicated, 0 altered; writes resume within 20 s',
  parts: [
    {
      name: 'leader',
      minutes: 8,
      harness: { brokers: 3 },
      round: { ...leaderKilled(10), load: LOAD, settleMs: 180_000 },
    },
  ],
};

export const leaderCutOff: Row = {
  name: 'leader-cut-off',
  title: 'Leader of 3 brokers cut off from the network for 60 s, 3 times',
  goal: '0 missing, 0 duplicated, 0 altered; no response later than 10 s; writes resume within 20 s',
  needsRoot: true,
  parts: [
    {
      name: 'leader',
      minutes: 7,
      harness: BROKERS_APART,
      round: {
        name: 'leader among 3 brokers cut off for 60 s, 3 times',
        load: { ...LOAD, clients: 64 },
        bounds: { slowestAnswerMs: 10_000, longestOutageMs: 20_000 },
        settleMs: 180_000,
        async fault(run) {
          for (let i = 0; i < 3; i++) {
            const { index } = await busiestLeader(run);
            await requestsSuffer(run, () => whileCutOff(run, index, () => delay(CUT_OFF_MS)));
            await run.acknowledgedGrows(10_000);
          }
        },
      },
    },
  ],
};

import { leaderKilled } from '../rounds/leader-killed.ts';
import type { Row } from '../row.ts';
import { LOAD } from './load.ts';

export const leader: Row = {
  name: 'leader-killed',
  title: 'leader killed among 3 brokers, 10 times',
  goal: '0 missing, 0 doubled, 0 changed; writes back in 20 s',
  parts: [
    {
      name: 'leader',
      minutes: 8,
      stage: { brokers: 3 },
      round: { ...leaderKilled(10), load: LOAD, settleMs: 180_000 },
    },
  ],
};

import { until } from '@cellarman/local-stack';
import { setTimeout as delay } from 'node:timers/promises';
import { secondsSince, whileDown } from '../faults/processes.ts';
import { backlogOf, withMemory } from '../measure.ts';
import type { Row } from '../row.ts';
import { LOAD } from './load.ts';

const AWAY_MS = 600_000;
const ARRIVAL_PER_SECOND = 1_000;
/** What a sink without a backlog is behind, at most. */
const DRAINED = 3 * ARRIVAL_PER_SECOND;

export const clickhouseAway: Row = {
  name: 'clickhouse-away',
  title: 'ClickHouse unavailable for 10 minutes',
  goal: '0 missing, 0 duplicated, 0 altered; drains at ≥ 3 × the arrival rate; sink memory ± 10 % during the outage',
  parts: [
    {
      name: '10 minutes',
      minutes: 14,
      round: {
        name: 'ClickHouse away for 10 minutes',
        load: { ...LOAD, rate: ARRIVAL_PER_SECOND },
        settleMs: 300_000,
        async fault(run) {
          await run.acknowledgedGrows(30 * ARRIVAL_PER_SECOND);
          await withMemory(run, { name: 'sink', as: 'sink MiB before, at most' }, () => delay(5_000));
          const [sent, begun] = [run.ledger.acknowledged(), performance.now()];
          await whileDown(run, 'clickhouse', async () => {
            // Its buffers fill first.
            await delay(AWAY_MS / 10);
            await withMemory(run, { name: 'sink', as: 'sink MiB in the first minutes, at most' }, () =>
              delay((AWAY_MS * 4) / 10),
            );
            await withMemory(run, { name: 'sink', as: 'sink MiB in the last minutes, at most' }, () =>
              delay((AWAY_MS * 5) / 10),
            );
          });
          const arrival = (run.ledger.acknowledged() - sent) / secondsSince(begun);
          await withMemory(run, { name: 'sink', as: 'sink MiB while it drains, at most' }, async () => {
            const [backlog, atStart, from] = [
              await backlogOf(run),
              run.ledger.acknowledged(),
              performance.now(),
            ];
            run.note('readings in the backlog', backlog);
            run.say(`${backlog} readings behind`);
            const left = await until(
              'the backlog is drained',
              async () => {
                const behind = await backlogOf(run);
                return behind < DRAINED ? { behind } : undefined;
              },
              { deadlineMs: 300_000, everyMs: 1_000 },
            );
            const stored = backlog - left.behind + run.ledger.acknowledged() - atStart;
            const rate = stored / secondsSince(from);
            run.note('arrival per second', Math.round(arrival));
            run.note('stored per second while it drains', Math.round(rate));
            run.note('drain rate in multiples of arrival', Math.round((10 * rate) / arrival) / 10);
          });
        },
      },
    },
  ],
};

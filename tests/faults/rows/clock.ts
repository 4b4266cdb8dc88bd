import { until } from '@cellarman/local-stack';
import { setClock, shiftableClocks } from '../faults/clock.ts';
import { requestsFail, untilRequestsFail } from '../faults/suffering.ts';
import { backlogOf } from '../measure.ts';
import type { Row } from '../row.ts';
import { LOAD } from './load.ts';

const HOUR = 3_600;

export const clock: Row = {
  name: 'clock',
  title: 'Clock of ingest, sink and key-service shifted',
  goal: '0 missing, 0 duplicated, 0 altered; an ingest clock that is behind responds 400 timestamp_out_of_range',
  parts: [
    {
      name: 'ingest',
      minutes: 4,
      harness: shiftableClocks('ingest'),
      round: {
        name: 'Clock of ingest shifted',
        load: LOAD,
        allowedAnswers: ['400', '207 timestamp_out_of_range', '400 timestamp_out_of_range'],
        async fault(run) {
          for (const seconds of [HOUR, 0, 24 * HOUR, 0, -200, 0]) {
            await setClock(run, 'ingest', seconds);
            await run.acknowledgedGrows(20_000);
          }
          // Now is an hour ahead of a clock that is an hour behind.
          await setClock(run, 'ingest', -HOUR);
          await requestsFail(run, () => untilRequestsFail(run, 100), 100);
          await setClock(run, 'ingest', 0);
          await run.acknowledgedGrows(20_000);
        },
      },
    },
    {
      name: 'sink and key-service',
      minutes: 4,
      harness: shiftableClocks('sink', 'key-service'),
      round: {
        name: 'clocks of sink and key-service shifted',
        load: LOAD,
        async fault(run) {
          for (const service of ['sink', 'key-service'] as const) {
            for (const seconds of [HOUR, 0, -HOUR, 0, 24 * HOUR, -24 * HOUR, 0]) {
              await setClock(run, service, seconds);
              await run.acknowledgedGrows(10_000);
              await until('the view follows', async () => (await backlogOf(run)) < 10_000, { everyMs: 200 });
            }
          }
        },
      },
    },
  ],
};

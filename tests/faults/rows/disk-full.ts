import { until } from '@cellarman/local-stack';
import { setTimeout as delay } from 'node:timers/promises';
import { secondsSince, untilReady } from '../faults/processes.ts';
import { smallDisk, whileDiskFull } from '../faults/small-disk.ts';
import { requestsFail, untilRequestsFail } from '../faults/suffering.ts';
import { backlogOf } from '../measure.ts';
import type { RunningRound } from '../round.ts';
import type { Row } from '../row.ts';
import { LOAD } from './load.ts';

const FULL_MS = 60_000;
const RECOVERY_MS = 60_000;
const load = { ...LOAD, rate: 1_000 };

export const diskFull: Row = {
  name: 'disk-full',
  title: 'Disk full for a minute under Kafka, ClickHouse and PostgreSQL',
  goal: '0 missing, 0 duplicated, 0 altered; no 2xx for a reading that is not stored; recovery ≤ 60 s after space is available',
  needsRoot: true,
  parts: [
    {
      name: 'Kafka',
      minutes: 4,
      harness: { prepare: smallDisk('kafka', 400) },
      round: {
        name: 'disk full under Kafka',
        load,
        async fault(run) {
          await run.acknowledgedGrows(20_000);
          await requestsFail(run, () =>
            whileDiskFull(run, 'kafka', async () => {
              await untilRequestsFail(run, 16);
              await delay(FULL_MS);
            }),
          );
          const begun = performance.now();
          await run.acknowledgedGrows(1);
          run.note('seconds until acknowledged after space is back', secondsSince(begun));
          await untilReady(run.harness);
          run.note('seconds until everything is ready after space is back', secondsSince(begun));
          await run.acknowledgedGrows(20_000);
        },
      },
    },
    {
      name: 'ClickHouse',
      minutes: 4,
      harness: { prepare: smallDisk('clickhouse', 600) },
      round: {
        name: 'disk full under ClickHouse',
        load,
        async fault(run) {
          await run.acknowledgedGrows(20_000);
          await whileDiskFull(run, 'clickhouse', async () => {
            await until('the view falls behind', async () => (await backlogOf(run)) > 5 * load.rate);
            await delay(FULL_MS);
          });
          const begun = performance.now();
          const caughtUp = async (): Promise<boolean> => (await backlogOf(run)) < 3 * load.rate;
          await until('the view has caught up', caughtUp, { deadlineMs: RECOVERY_MS * 2, everyMs: 500 });
          run.note('seconds until the view has caught up after space is back', secondsSince(begun));
        },
      },
    },
    {
      name: 'PostgreSQL',
      minutes: 4,
      harness: { prepare: smallDisk('postgres', 160) },
      round: {
        name: 'disk full under PostgreSQL',
        load,
        async fault(run) {
          await run.acknowledgedGrows(20_000);
          const secrets: string[] = [];
          await whileDiskFull(run, 'postgres', async () => {
            const end = performance.now() + FULL_MS;
            let rejected = 0;
            while (performance.now() < end || rejected === 0) {
              if (performance.now() > end + RECOVERY_MS) throw new Error('PostgreSQL took every key');
              await run.management.createKey(run.cellar).then(
                ({ secret }) => secrets.push(secret),
                () => (rejected += 1),
              );
              await delay(20);
            }
            run.note('keys that were rejected', rejected);
          });
          const begun = performance.now();
          await until(
            'a key can be made again',
            () => run.management.createKey(run.cellar).catch(() => undefined),
            { everyMs: 200 },
          );
          run.note('seconds until a key can be made after space is back', secondsSince(begun));
          await untilReady(run.harness);
          run.note('keys that were acknowledged while the disk was full', secrets.length);
          for (const secret of secrets) await keyWorks(run, secret);
        },
      },
    },
  ],
};

/** A key that was given out must be there after all that happened. */
async function keyWorks({ harness, ledger }: RunningRound, apiKey: string): Promise<void> {
  const { number, reading } = ledger.next();
  const answer = await fetch(`${harness.product.run().ingestUrl}/api/v1/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify(reading),
  });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`A key that was given out is answered ${answer.status}`);
  ledger.record(number, 'acknowledged');
}

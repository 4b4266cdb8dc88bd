import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@clickhouse/client';
import { clickhouseLogin, until } from '@cellarman/local-stack';
import type { RunFile } from '@cellarman/local-stack';
import type { Bench, Row } from '../bench.ts';
import { cpuMicrosecondsOfTree } from '../cpu-time.ts';
import { runOpenLoop } from '../load/open-loop.ts';
import { post, readingBody } from '../load/requests.ts';
import { round } from '../median.ts';
import { percentile } from '../percentile.ts';
import { ingestOf, withProduct } from '../harness/product-harness.ts';

const PER_SECOND = 50;
const CONNECTIONS = 8;
/** Of the disk, whatever a disk says about itself. */
const SECTOR_BYTES = 512;
const QUIET_MS = 1_500;
const FIRST_READINGS = 20;
const POLL_MS = 10;

export const atRest: Bench = {
  what: `a small fleet: CPU and writes of all processes at ${PER_SECOND} readings a second and at none, and how soon the first reading after a pause shows`,
  run: ({ seconds }) =>
    withProduct(async (run) => {
      const ingest = ingestOf(run);
      const send = (duration: number) =>
        runOpenLoop({
          ...{ url: ingest.url, connections: CONNECTIONS, perSecond: PER_SECOND, seconds: duration },
          request: (number) => post(ingest, readingBody(ingest.cellar, `rack-${number % 1_000}`, number)),
        });
      // Node and Java compile what they run often.
      await send(seconds * 6);
      const busy = await usage(run, () => send(seconds * 6));
      const idle = await usage(run, () => delay(seconds * 3_000));
      const first = await timeFirstReadings(run);

      const readings = PER_SECOND * seconds * 6;
      const rows = Object.keys(busy.cpu).map((process): Row => ({
        process,
        [`% of a core at ${PER_SECOND}/s`]: round(busy.cpu[process] ?? NaN),
        '% at none': round(idle.cpu[process] ?? NaN),
      }));
      const total = (shares: Record<string, number>) => Object.values(shares).reduce((a, b) => a + b, 0);
      const figures = {
        [`% of a core at ${PER_SECOND} readings/s`]: total(busy.cpu),
        '% of a core at none': total(idle.cpu),
        [`KiB written per reading at ${PER_SECOND}/s`]: busy.writtenBytes / 1_024 / readings,
        'first reading visible p99 ms': percentile(first, 0.99),
      };
      return {
        tables: [
          {
            note: `All processes of the product, ${seconds * 6} s at ${PER_SECOND} single readings a second and ${seconds * 3} s at none. Written is what reached the disks of the machine, so nothing else may run.`,
            rows,
          },
          {
            note: `One reading after ${QUIET_MS / 1_000} s without any, ${FIRST_READINGS} times: from sending it until the view has it, looked for every ${POLL_MS} ms.`,
            rows: [
              {
                'p50 ms': round(percentile(first, 0.5)),
                'max ms': round(percentile(first, 1)),
                [`KiB written per reading at ${PER_SECOND}/s`]: round(busy.writtenBytes / 1_024 / readings),
                'KiB/s written at none': round(idle.writtenBytes / 1_024 / (seconds * 3)),
              },
            ],
          },
        ],
        figures,
      };
    }),
};

/** Percent of a core by process, and bytes written to disks, during `work`. */
async function usage({ processes }: RunFile, work: () => Promise<unknown>) {
  const pids = Object.entries(processes).flatMap(([name, list]) => list.map((pid) => ({ name, pid })));
  const used = () => Promise.all(pids.map(({ pid }) => cpuMicrosecondsOfTree(pid)));
  const [writtenBefore, before, begun] = [await writtenSectors(), await used(), performance.now()];
  await work();
  const [after, elapsedMs] = [await used(), performance.now() - begun];
  const cpu: Record<string, number> = {};
  for (const [at, { name }] of pids.entries())
    cpu[name] = (cpu[name] ?? 0) + ((after[at] ?? 0) - (before[at] ?? 0)) / elapsedMs / 10;
  return { cpu, writtenBytes: ((await writtenSectors()) - writtenBefore) * SECTOR_BYTES };
}

/** Of all disks without their partitions, with nothing left in the page cache. */
async function writtenSectors(): Promise<number> {
  execFileSync('sync');
  const lines = (await readFile('/proc/diskstats', 'utf8')).trim().split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , name = '']) => /^(?:vd[a-z]|sd[a-z]|nvme\d+n\d+)$/.test(name))
    .reduce((sum, fields) => sum + Number(fields[9]), 0);
}

async function timeFirstReadings(run: RunFile): Promise<number[]> {
  const { cellar, apiKey } = run.demo;
  const clickhouse = createClient({ ...clickhouseLogin(run), database: run.clickhouseDatabase });
  const latencies: number[] = [];
  for (let number = 0; number < FIRST_READINGS; number++) {
    await delay(QUIET_MS);
    const rack = `first-${number}`;
    const begun = performance.now();
    const sent = await fetch(`${run.ingestUrl}/api/v1/ingest`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: readingBody(cellar, rack, number),
    });
    if (sent.status !== 200) throw new Error(`ingest responded ${sent.status}: ${await sent.text()}`);
    const isVisible = async () => {
      const query =
        'SELECT count() AS n FROM readings WHERE cellar = {cellar: String} AND rack = {rack: String}';
      const result = await clickhouse.query({
        ...{ query, query_params: { cellar, rack }, format: 'JSONEachRow' as const },
      });
      const [row] = await result.json<{ n: string }>();
      return Number(row?.n) > 0;
    };
    await until('the reading is visible', isVisible, { deadlineMs: 15_000, everyMs: POLL_MS });
    latencies.push(performance.now() - begun);
  }
  await clickhouse.close();
  return latencies.sort((a, b) => a - b);
}

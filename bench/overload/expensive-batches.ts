import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { Bench, BenchOptions, Row } from '../bench.ts';
import { cpuMicroseconds } from '../cpu-time.ts';
import { signIn } from '../keys/administrator.ts';
import { setNiceness } from '../keys/niceness.ts';
import { median, round } from '../median.ts';
import type { Candidate } from '../stage/candidate.ts';
import { ingestOf, withProductWithoutSink } from '../stage/product-stage.ts';
import { EXPENSIVE_BATCHES } from './flood.ts';
import type { FloodOptions, FloodReport } from './flood.ts';
import { errorsOf, runGoodClient } from './good-client.ts';
import type { Generated } from './generate.ts';

const CONNECTIONS = 8;
const CELLAR = 'flood';
/** The defaults of an installation; the bench's own cellar has no such limit. */
const RATE_LIMIT = { perSecond: 1_000, burst: 10_000 };
/** Both clients have machines of their own. Here they share the cores with ingest and Kafka, so they wait for neither. */
const CLIENT = -10;

interface Sample {
  alone: Generated;
  beside: Generated;
  flood: FloodReport;
  /** Of ingest beside the flood, milliseconds per second. */
  cpuMs: number;
}

/** In a process and a session of its own. It begins when the measurement does, with a bucket that is full. */
async function floodFromOutside(options: FloodOptions): Promise<FloodReport> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'flood.ts'), JSON.stringify(options)], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  setNiceness(child.pid ?? 0, CLIENT);
  return (await json(child.stdout)) as FloodReport;
}

async function pair(
  ingest: Candidate,
  flood: Omit<FloodOptions, 'seconds'>,
  seconds: number,
): Promise<Sample> {
  const alone = await runGoodClient(ingest, seconds);
  const [cpuBefore, began] = [await cpuMicroseconds(ingest.pid), performance.now()];
  const [beside, report] = await Promise.all([
    runGoodClient(ingest, seconds),
    floodFromOutside({ ...flood, seconds }),
  ]);
  const cpuMs = ((await cpuMicroseconds(ingest.pid)) - cpuBefore) / (performance.now() - began);
  return { alone, beside, flood: report, cpuMs };
}

async function measure({ seconds, pairs }: BenchOptions): Promise<Row[]> {
  return withProductWithoutSink(async (run) => {
    const ingest = ingestOf(run);
    const administrator = await signIn({ keyServiceUrl: () => run.keyServiceUrl, admin: run.admin });
    await administrator.createCellar(CELLAR, { rateLimit: RATE_LIMIT });
    setNiceness(process.pid, CLIENT);
    const rows: Row[] = [];
    for (const kind of EXPENSIVE_BATCHES) {
      const samples: Sample[] = [];
      for (let n = 0; n < pairs; n++) {
        const { secret } = await administrator.createKey(CELLAR);
        const { url } = ingest;
        const flood = {
          url,
          apiKey: secret,
          cellar: CELLAR,
          kind,
          connections: CONNECTIONS,
          afterSeconds: 1,
        };
        samples.push(await pair(ingest, flood, seconds));
      }
      const of = (figure: (sample: Sample) => number) => round(median(samples.map(figure)));
      const share = (sample: Sample, statuses: (status: string) => boolean) =>
        Object.entries(sample.flood.statuses).reduce((sum, [at, n]) => sum + (statuses(at) ? n : 0), 0) /
        seconds;
      rows.push({
        batch: kind,
        bytes: samples[0]?.flood.bytes ?? Number.NaN,
        '429/s': of((sample) => share(sample, (status) => status === '429')),
        'others/s': of((sample) => share(sample, (status) => status !== '429')),
        'ingest CPU ms/s': of(({ cpuMs }) => cpuMs),
        'p99 ms alone': of(({ alone }) => alone.accepted99.due),
        'p99 ms beside it': of(({ beside }) => beside.accepted99.due),
        ratio: of(({ alone, beside }) => beside.accepted99.due / alone.accepted99.due),
        'errors of the good': samples.reduce((sum, { beside }) => sum + errorsOf(beside), 0),
      });
      process.stdout.write(`${JSON.stringify(rows.at(-1))}\n`);
    }
    return rows;
  });
}

export const expensiveBatches: Bench = {
  what: '8 connections that send bombs and batches over the limit as fast as they can: p99 of a good client beside them',
  async run(options) {
    const rows = await measure(options);
    return {
      tables: [
        {
          title: 'Expensive batches',
          note: `A client that sends 500 readings/s on 32 connections, alone and beside ${CONNECTIONS} connections of another key (${RATE_LIMIT.perSecond}/s, ${RATE_LIMIT.burst} at once) that send the same batch as fast as it is answered, from the moment when the measurement begins and with a full bucket.`,
          rows,
        },
      ],
      figures: {},
    };
  },
};

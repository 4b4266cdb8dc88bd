import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunFile } from '@cellarman/local-stack';
import type { Bench, Row } from '../bench.ts';
import { signIn } from '../keys/owner.ts';
import { median, round } from '../median.ts';
import { sampleLoad } from '../harness/candidate.ts';
import type { Sample } from '../harness/candidate.ts';
import { ingestOf, withProductWithoutSink } from '../harness/product-harness.ts';
import { withTemporaryDirectory } from '../harness/temporary-directory.ts';

const LOAD = { connections: 64, racks: 1_000 };
const RACKS = { few: 1_000, many: 1_000_000 };
const KEYS = { few: 10, many: 100_000 };
const KEYS_AT_A_TIME = 8;
/** No key reaches it, so that each reading is counted and none is rejected. */
const RATE_LIMIT = { perSecond: 1_000_000, burst: 1_000_000 };

type Size = 'few' | 'many';

export const growth: Bench = {
  what: 'CPU time of ingest for a reading with 1,000 racks and with 1,000,000',
  run: ({ seconds, pairs }) =>
    withProductWithoutSink(async (run) => {
      const load = (size: Size) => sampleLoad(ingestOf(run), { ...LOAD, seconds, racks: RACKS[size] });
      await load('few');
      await load('many');
      const { rows, ratio } = await compare('racks', RACKS, load, pairs);
      const note =
        'Single readings at 64 connections, the rack of each drawn at random. Names of racks are equally long.';
      return { tables: [{ note, rows }], figures: { 'CPU × at 1,000,000 racks': ratio } };
    }),
};

export const growthKeys: Bench = {
  what: 'CPU time of ingest for a reading with 10 keys and with 100,000 (wrk is needed)',
  run: ({ seconds, pairs }) =>
    withProductWithoutSink((run) =>
      withTemporaryDirectory(async (directory) => {
        const keys = await createKeys(run, KEYS.many);
        const fileOf = (size: Size) => join(directory, size);
        for (const size of ['few', 'many'] as const) {
          await writeFile(fileOf(size), keys.slice(0, KEYS[size]).join('\n'));
        }
        const load = (size: Size, during = seconds) =>
          sampleLoad(ingestOf(run), { ...LOAD, seconds: during, keysFile: fileOf(size) });
        // The first request with a key looks it up, which is not measured. Each run begins with the first key again, so one of
        // them must be long enough.
        for (let during = seconds; (await load('many', during)).requests < KEYS.many;) during *= 2;
        const { rows, ratio } = await compare('keys', KEYS, load, pairs);
        const note =
          'Single readings at 64 connections, 1,000 racks, one key after the other. Each was used once before.';
        return { tables: [{ note, rows }], figures: { 'CPU × at 100,000 keys': ratio } };
      }),
    ),
};

async function compare(
  column: string,
  sizes: Readonly<Record<Size, number>>,
  load: (size: Size) => Promise<Sample>,
  pairs: number,
): Promise<{ rows: Row[]; ratio: number }> {
  const samples: Record<Size, Sample>[] = [];
  for (let pair = 0; pair < pairs; pair++) samples.push({ few: await load('few'), many: await load('many') });
  const row = (size: Size): Row => ({
    [column]: sizes[size],
    'CPU µs/reading': round(median(samples.map((sample) => sample[size].cpuPerReading))),
    ratio: round(median(samples.map((sample) => sample[size].cpuPerReading / sample.few.cpuPerReading))),
    MiB: Math.round(Math.max(...samples.map((sample) => sample[size].residentMiB))),
    rejected: samples.reduce((sum, sample) => sum + sample[size].rejected + sample[size].broken, 0),
  });
  const rows = [row('few'), row('many')];
  return { rows, ratio: Number(rows[1]?.['ratio']) };
}

async function createKeys(run: RunFile, count: number): Promise<string[]> {
  const owner = await signIn({ keyServiceUrl: () => run.keyServiceUrl, admin: run.admin });
  const keys: string[] = [];
  const createSome = async () => {
    for (let left = count / KEYS_AT_A_TIME; left > 0; left--) {
      keys.push((await owner.createKey(run.demo.cellar, { rateLimit: RATE_LIMIT })).secret);
    }
  };
  await Promise.all(Array.from({ length: KEYS_AT_A_TIME }, createSome));
  return keys;
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunFile } from '@cellarman/local-stack';
import type { Bench } from '../bench.ts';
import { signIn } from '../keys/administrator.ts';
import { median, round } from '../median.ts';
import { sampleLoad } from '../stage/candidate.ts';
import type { Sample } from '../stage/candidate.ts';
import { ingestOf, withProductWithoutSink } from '../stage/product-stage.ts';
import { withTemporaryDirectory } from '../stage/temporary-directory.ts';

const FEW = 10;
const MANY = 100_000;
const AT_ONCE = 8;
/** No key reaches it, so that each reading is counted and none is refused. */
const RATE_LIMIT = { perSecond: 1_000_000, burst: 1_000_000 };

export const growthKeys: Bench = {
  what: 'CPU time of ingest for a reading with 10 keys and with 100,000 (wrk is needed)',
  run: ({ seconds, pairs }) =>
    withProductWithoutSink((run) =>
      withTemporaryDirectory(async (folder) => {
        const ingest = ingestOf(run);
        const keys = await makeKeys(run, MANY);
        const fileOf = (count: number): string => join(folder, String(count));
        for (const count of [FEW, MANY]) await writeFile(fileOf(count), keys.slice(0, count).join('\n'));
        const load = (count: number, during = seconds) =>
          sampleLoad(ingest, { connections: 64, seconds: during, racks: 1_000, keysFile: fileOf(count) });
        // The keys come by turns. Until each was there once it is looked up, which is not what is measured.
        // Each run begins with the first key again, so one of them must be long enough.
        for (let during = seconds; (await load(MANY, during)).requests < MANY;) during *= 2;
        const samples: { few: Sample; many: Sample }[] = [];
        for (let pair = 0; pair < pairs; pair++) {
          samples.push({ few: await load(FEW), many: await load(MANY) });
        }
        const cpu = (of: 'few' | 'many') => round(median(samples.map((sample) => sample[of].cpuPerReading)));
        const refused = (of: 'few' | 'many') =>
          samples.reduce((sum, sample) => sum + sample[of].refused + sample[of].broken, 0);
        const mib = (of: 'few' | 'many') => Math.round(Math.max(...samples.map((s) => s[of].residentMiB)));
        const ratio = round(median(samples.map(({ few, many }) => many.cpuPerReading / few.cpuPerReading)));
        return {
          tables: [
            {
              title: 'Growth in keys',
              note: 'Single readings at 64 connections, 1,000 racks, the keys one after the other. Each was used once before.',
              rows: [
                {
                  keys: FEW,
                  'CPU µs/reading': cpu('few'),
                  ratio: 1,
                  MiB: mib('few'),
                  refused: refused('few'),
                },
                {
                  keys: MANY,
                  'CPU µs/reading': cpu('many'),
                  ratio,
                  MiB: mib('many'),
                  refused: refused('many'),
                },
              ],
            },
          ],
          figures: { 'CPU × at 100,000 keys': ratio },
        };
      }),
    ),
};

async function makeKeys(run: RunFile, count: number): Promise<string[]> {
  const administrator = await signIn({ keyServiceUrl: () => run.keyServiceUrl, admin: run.admin });
  const keys: string[] = [];
  await Promise.all(Array.from({ length: AT_ONCE }, makeSome));
  return keys;

  async function makeSome(): Promise<void> {
    for (let left = count / AT_ONCE; left > 0; left--) {
      keys.push((await administrator.createKey(run.demo.cellar, { rateLimit: RATE_LIMIT })).secret);
    }
  }
}

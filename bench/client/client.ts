import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { driver, withClient } from '../../clients/python/tests/python.ts';
import type { Bench, Row } from '../bench.ts';
import { ingestOf, withProductWithoutSink } from '../harness/product-harness.ts';
import { withTemporaryDirectory } from '../harness/temporary-directory.ts';
import { median, round } from '../median.ts';
import type { PutResult, PutRun } from './put-readings.ts';

type Language = 'Node' | 'Python';
const PROGRAMS: Partial<Record<Language, readonly string[]>> = {
  Node: [process.execPath, join(import.meta.dirname, 'put-readings.ts')],
  ...(driver !== undefined && { Python: [...withClient, join(import.meta.dirname, 'put_readings.py')] }),
};
/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9999';

export const client: Bench = {
  what: 'the Node and Python clients: readings a second through a spool into ingest, and memory while ingest is away',
  run: ({ seconds, pairs }) =>
    withProductWithoutSink((run) =>
      withTemporaryDirectory(async (folder) => {
        const { url, apiKey, cellar } = ingestOf(run);
        let number = 0;
        const put = (language: Language, given: Pick<PutRun, 'list' | 'sends'>): Promise<PutResult> => {
          const spool = join(folder, `spool-${(number += 1)}`);
          const options = { url: given.sends ? url : NOWHERE, apiKey, cellar, spool, maxBytes: 8e9 };
          return start(language, { options, concurrent: 2_000, seconds, ...given });
        };
        const rows: Row[] = [];
        const growths: Row[] = [];
        const figures: Record<string, number> = {};
        for (const language of Object.keys(PROGRAMS) as Language[]) {
          const speeds: number[] = [];
          for (const list of Array.from({ length: pairs }, () => [1, 100]).flat()) {
            const { sent, putSeconds, cpuSeconds, ...all } = await put(language, { list, sends: true });
            const speed = sent / all.seconds;
            if (list === 100) speeds.push(speed);
            rows.push({
              client: language,
              'readings in a put': list,
              'put/s': Math.round(all.put / putSeconds),
              'put and sent/s': Math.round(speed),
              'CPU µs per reading': round((cpuSeconds * 1e6) / sent),
            });
          }
          const away = await put(language, { list: 100, sends: false });
          const perReading = away.grownBytes / away.putWhileGrowing;
          growths.push({
            client: language,
            'spooled readings': away.putWhileGrowing,
            'put/s': Math.round(away.put / away.putSeconds),
            'growth MiB': round(away.grownBytes / 1024 / 1024),
            'bytes per reading': round(perReading),
          });
          figures[`${language} client readings/s`] = Math.round(median(speeds));
          figures[`${language} client bytes per spooled reading`] = round(perReading);
        }
        return {
          tables: [
            {
              note: 'The client in a process of its own, 2,000 readings put at a time (Python: by 8 threads), gzip, one request in flight; from the first put until everything is sent. The sink is paused.',
              rows,
            },
            { note: 'Ingest away: resident memory, after the first tenth of the time.', rows: growths },
          ],
          figures,
        };
      }),
    ),
};

async function start(language: Language, run: PutRun): Promise<PutResult> {
  const [command = '', ...args] = PROGRAMS[language] ?? [];
  const { stdout } = await promisify(execFile)(command, [...args, JSON.stringify(run)]);
  return JSON.parse(stdout) as PutResult;
}

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bench, Row } from '../bench.ts';
import { ingestOf, withProductWithoutSink } from '../harness/product-harness.ts';
import { withTemporaryDirectory } from '../harness/temporary-directory.ts';
import { median, round } from '../median.ts';
import type { PutResult, PutRun } from './put-readings.ts';

const PROGRAM = join(import.meta.dirname, 'put-readings.ts');
/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9999';

export const client: Bench = {
  what: 'the Node client: readings a second through its spool into ingest, and its memory while ingest is away',
  run: ({ seconds, pairs }) =>
    withProductWithoutSink((run) =>
      withTemporaryDirectory(async (folder) => {
        const { url, apiKey, cellar } = ingestOf(run);
        let number = 0;
        const put = (given: Pick<PutRun, 'list' | 'sends'>): Promise<PutResult> => {
          const spool = join(folder, `spool-${(number += 1)}`);
          const options = { url: given.sends ? url : NOWHERE, apiKey, cellar, spool, maxBytes: 8e9 };
          return start({ options, concurrent: 2_000, seconds, ...given });
        };
        const rows: Row[] = [];
        const speeds: number[] = [];
        for (let pair = 0; pair < pairs; pair++) {
          for (const list of [1, 100]) {
            const { sent, putSeconds, cpuSeconds, ...all } = await put({ list, sends: true });
            const speed = sent / all.seconds;
            if (list === 100) speeds.push(speed);
            rows.push({
              'readings in a put': list,
              'put/s': Math.round(all.put / putSeconds),
              'put and sent/s': Math.round(speed),
              'CPU µs per reading': round((cpuSeconds * 1e6) / sent),
            });
          }
        }
        const away = await put({ list: 100, sends: false });
        const perReading = away.grownBytes / away.putWhileGrowing;
        const growth = {
          'spooled readings': away.putWhileGrowing,
          'put/s': Math.round(away.put / away.putSeconds),
          'growth MiB': round(away.grownBytes / 1024 / 1024),
          'bytes per reading': round(perReading),
        };
        return {
          tables: [
            {
              note: 'The client in a process of its own, 2,000 readings put at a time, gzip, one request in flight; from the first put until everything is sent. The sink is paused.',
              rows,
            },
            { note: 'Ingest away: resident memory, after the first tenth of the time.', rows: [growth] },
          ],
          figures: {
            'client readings/s': Math.round(median(speeds)),
            'client bytes per spooled reading': round(perReading),
          },
        };
      }),
    ),
};

async function start(run: PutRun): Promise<PutResult> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, JSON.stringify(run)]);
  return JSON.parse(stdout) as PutResult;
}

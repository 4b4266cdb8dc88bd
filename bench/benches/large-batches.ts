import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { request } from 'undici';
import type { Bench, Row } from '../bench.ts';
import { median, round } from '../median.ts';
import { percentile } from '../percentile.ts';
import { runOpenLoop } from '../load/open-loop.ts';
import type { Candidate } from '../stage/candidate.ts';
import { ingestOf, withProductWithoutSink } from '../stage/product-stage.ts';
import { readingBody } from '../stage/reading-body.ts';
import { withTemporaryDirectory } from '../stage/temporary-directory.ts';

const READINGS_IN_A_BATCH = 10_000;
const SINGLE_READINGS_PER_SECOND = 300;
const CONNECTIONS = 32;

/** What arrives beside the single readings. */
const BATCHES: Readonly<Record<string, ((ingest: Candidate) => Batch) | undefined>> = {
  'nothing else': undefined,
  'JSON arrays': (ingest) => ({ body: `[${readings(ingest).join(',')}]`, headers: {} }),
  'NDJSON, gzip': (ingest) => ({
    body: gzipSync(readings(ingest).join('\n')),
    headers: { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' },
  }),
  'arrays of which every reading is refused': (ingest) => ({
    body: `[${readings(ingest, 'another').join(',')}]`,
    headers: {},
  }),
};

interface Batch {
  body: string | Buffer;
  headers: Record<string, string>;
}

export const largeBatches: Bench = {
  what: 'how long one turn of the event loop gets beside batches of 10,000 readings, and what single readings notice',
  run: ({ seconds }) =>
    withTemporaryDirectory(async (directory) => {
      const turns = join(directory, 'turns');
      const probe = new URL('../probe/longest-turn.ts', import.meta.url);
      probe.searchParams.set('to', turns);
      const env = { ingest: { NODE_OPTIONS: `--max-semi-space-size=16 --import=${probe.href}` } };
      return withProductWithoutSink(
        async (run) => {
          const ingest = ingestOf(run);
          const rows: Row[] = [];
          for (const [name, batchOf] of Object.entries(BATCHES)) {
            const batch = batchOf?.(ingest);
            // The first round is the warm-up.
            for (const keep of [false, true]) {
              await writeFile(turns, '');
              const row = await measure(ingest, batch, seconds);
              const longest = (await readFile(turns, 'utf8')).trim().split('\n');
              if (!keep) continue;
              const byClock = longest.map((line) => Number(line.split(' ')[0]));
              const ofCpu = longest.map((line) => Number(line.split(' ')[1]));
              rows.push({
                beside: name,
                'longest turn, CPU ms': round(Math.max(...ofCpu)),
                'of the median second': round(median(ofCpu)),
                'by the clock ms': round(Math.max(...byClock)),
                ...row,
              });
            }
          }
          return {
            tables: [
              {
                title: 'Large batches',
                note: `${SINGLE_READINGS_PER_SECOND} single readings a second on ${CONNECTIONS} connections, and beside them batches of ${READINGS_IN_A_BATCH} readings, one after the other. The probe that times the turns takes a core for itself, so turns wait for one of the two cores in their midst, and the answers are slower than without it.`,
                rows,
              },
            ],
            figures: {
              'longest turn ms': Math.max(...rows.map((row) => Number(row['longest turn, CPU ms']))),
            },
          };
        },
        { env },
      );
    }),
};

async function measure(ingest: Candidate, batch: Batch | undefined, seconds: number): Promise<Row> {
  let batches = 0;
  let notOk = 0;
  const done = new AbortController();
  const sending =
    batch === undefined
      ? Promise.resolve()
      : (async () => {
          while (!done.signal.aborted) {
            const { statusCode, body } = await request(`${ingest.url}/api/v1/ingest/batch`, {
              method: 'POST',
              headers: { 'content-type': 'application/json', 'x-api-key': ingest.apiKey, ...batch.headers },
              body: batch.body,
            });
            await body.dump();
            batches++;
            // 400: all of it is refused, which is what one of them is for.
            if (statusCode !== 200 && statusCode !== 400) notOk++;
          }
        })();
  const { answers, latenciesMs } = await runOpenLoop({
    ...{ url: ingest.url, path: '/api/v1/ingest', connections: CONNECTIONS, seconds },
    perSecond: SINGLE_READINGS_PER_SECOND,
    headers: { 'content-type': 'application/json', 'x-api-key': ingest.apiKey },
    body: (number) => readingBody(ingest.cellar, `rack-${(number % 1_000) + 1}`, number),
  }).finally(() => done.abort());
  await sending;
  return {
    'batches/s': round(batches / seconds),
    'p50 ms': round(percentile(latenciesMs, 0.5)),
    'p99 ms': round(percentile(latenciesMs, 0.99)),
    'max ms': round(percentile(latenciesMs, 1)),
    'not 200': notOk + Object.entries(answers).reduce((sum, [code, n]) => sum + (code === '200' ? 0 : n), 0),
  };
}

function readings({ cellar }: Candidate, of = cellar): string[] {
  return Array.from({ length: READINGS_IN_A_BATCH }, (_, i) => readingBody(of, `rack-${i % 1_000}`, i));
}

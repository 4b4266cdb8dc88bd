import type { Bench } from '../bench.ts';
import { startBaseline } from '../harness/candidate.ts';
import type { Candidate } from '../harness/candidate.ts';
import { compareLoad } from '../harness/compare-load.ts';
import { ingestOf, makeTopic, withProductWithoutSink } from '../harness/product-harness.ts';

const READINGS_IN_A_REQUEST = 100;

export const batches: Bench = {
  what: '100 readings in a request at 16 connections, against the baselines bare and minimal',
  run: ({ seconds, pairs }) =>
    withProductWithoutSink(async (run) => {
      const ingest = ingestOf(run);
      await assertTakesBatches(ingest);
      const topic = await makeTopic(run, 'bench.minimal');
      const bare = await startBaseline('bare', run.demo);
      const minimal = await startBaseline('minimal', run.demo, run.kafkaBrokers.join(','), topic);
      try {
        const load = { connections: 16, seconds, racks: 1_000, readingsInARequest: READINGS_IN_A_REQUEST };
        const { rows, ratios, cpu } = await compareLoad([bare, ingest, minimal], load, pairs);
        return {
          tables: [
            {
              note: 'JSON arrays of 100 readings, 1,000 racks, 6 partitions, one broker; everything on. The sink is paused, because the baselines have none.',
              rows,
            },
          ],
          figures: {
            'batches × bare': ratios['Cellarman']?.speed ?? Number.NaN,
            'batches CPU × bare': ratios['Cellarman']?.cpu ?? Number.NaN,
            'ingest CPU µs/reading in batches': cpu.ingest,
            'Kafka CPU µs/reading in batches': cpu.kafka,
          },
        };
      } finally {
        await bare.stop();
        await minimal.stop();
      }
    }),
};

/** The load generator checks the status only, and a 207 for rejected readings counts as good. */
async function assertTakesBatches({ url, apiKey, cellar }: Candidate): Promise<void> {
  const timestamp = new Date().toISOString();
  const readings = Array.from({ length: READINGS_IN_A_REQUEST }, (_, i) => {
    return { cellar, rack: `rack-${i}`, keg: 'temperature', value: i, timestamp };
  });
  const answer = await fetch(`${url}/api/v1/ingest/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify(readings),
  });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`A good batch gets ${answer.status}: ${body}`);
}

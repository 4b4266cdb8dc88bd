/* eslint-disable no-console -- the result goes to the terminal */
/**
 * Runs the product with a real collector and looks whether everything arrives there: `node collector/main.ts PROGRAM`.
 * `scripts/verify-telemetry.sh` builds the program.
 */
import { join } from 'node:path';
import { scratchDirectory, startProduct, until } from '@cellarman/local-stack';
import type { RunFile } from '@cellarman/local-stack';
import { startCanary } from '../canary-process.ts';
import { checks } from './checks.ts';
import { readExports } from './read-exports.ts';
import { startCollector } from './start-collector.ts';

const [program] = process.argv.slice(2);
if (program === undefined) throw new Error('usage: node collector/main.ts PROGRAM');
const ARRIVAL_DEADLINE_MS = 60_000;

// Whatever ends this process, what it has started goes with it.
const scratch = await scratchDirectory('cellarman-collector-');
const collector = await startCollector({
  program,
  directory: join(scratch.path, 'collector'),
  onSpawn: (pid) => scratch.watch(pid),
});
const telemetry = {
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  OTEL_TRACES_SAMPLER_ARG: '1',
  OTEL_METRICS_EXPORTER: 'prometheus,otlp',
  OTEL_METRIC_EXPORT_INTERVAL: '1000',
  OTEL_LOGS_EXPORTER: 'otlp',
};
const product = await startProduct({
  dataDir: join(scratch.path, 'product'),
  ports: 'free',
  env: { ingest: telemetry, 'key-service': telemetry, sink: telemetry, query: telemetry },
});
const run = product.run();
const canary = await startCanary(
  {
    ...telemetry,
    INGEST_URL: run.ingestUrl,
    QUERY_URL: run.queryUrl,
    CELLAR: run.demo.cellar,
    API_KEY: run.demo.apiKey,
    INTERVAL_MS: '1000',
  },
  (pid) => scratch.watch(pid),
);

const traceId = await postReading(run);
for (const check of checks({ run, traceId })) {
  let last = '';
  const isRight = async () =>
    (last = check.problem(await readExports(collector).catch(() => undefined))) === '';
  await until(check.what, isRight, { everyMs: 500, deadlineMs: ARRIVAL_DEADLINE_MS }).then(
    () => console.log(`✓ ${check.what}`),
    () => {
      process.exitCode = 1;
      console.log(`✗ ${check.what}: ${last}`);
    },
  );
}

await canary.stop();
await product.stop();
await collector.stop();
await scratch.remove();

/** One reading of a device that traces. */
async function postReading({ ingestUrl, demo }: RunFile): Promise<string> {
  const traceId = crypto.randomUUID().replaceAll('-', '');
  const answer = await fetch(`${ingestUrl}/api/v1/ingest`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': demo.apiKey,
      traceparent: `00-${traceId}-${traceId.slice(16)}-01`,
    },
    body: JSON.stringify({
      cellar: demo.cellar,
      rack: 'traced',
      keg: 'temperature',
      value: 1,
      timestamp: new Date().toISOString(),
    }),
  });
  if (answer.status !== 200) throw new Error(`ingest answers ${answer.status} ${await answer.text()}`);
  return traceId;
}

/* eslint-disable no-console -- the result goes to the terminal */
/**
 * The long version of the fuzz test: 100,000 requests by default, another seed each time.
 *
 * `npx -y pnpm@12 fuzz [--requests N] [--seed N]`
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fuzzProduct, startProductToFuzz } from './fuzz-product.ts';
import { findSchemathesis } from './schemathesis.ts';

/** Shares of all requests for each operation: ingest has two with a body, key-service more than thirty with
 * a body or a query, query six. */
const INGEST_SHARE = 0.3;
const BATCH_SHARE = 0.05;
const QUERY_SHARE = 0.016;
const KEY_SERVICE_SHARE = 0.0155;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string' },
  },
});
if (values.help) {
  console.log(`Usage: npx -y pnpm@12 fuzz [--requests N] [--seed N]

Starts the whole product and fuzzes it with requests generated from the OpenAPI documents.

  --requests N  at least N requests (100000)
  --seed N      repeat a run (random)`);
  process.exit(0);
}
const requests = Number(values.requests);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));

const environment = await findSchemathesis();
if ('missing' in environment) {
  console.error(environment.missing);
  process.exit(1);
}
const { python } = environment;
const dataDir = await mkdtemp(join(tmpdir(), 'cellarman-fuzz-'));
const product = await startProductToFuzz(dataDir);
try {
  const begun = performance.now();
  const { complaints, ...report } = await fuzzProduct(product.run(), {
    python,
    perOperation: {
      ingest: Math.ceil(requests * INGEST_SHARE),
      batch: Math.ceil(requests * BATCH_SHARE),
      keyService: Math.ceil(requests * KEY_SERVICE_SHARE),
      query: Math.ceil(requests * QUERY_SHARE),
    },
    seed,
  });
  console.log(complaints);
  console.log(JSON.stringify({ seed, seconds: Math.round((performance.now() - begun) / 1_000), ...report }));
  const clean = complaints === '' && report.serverErrors === 0 && report.unreached.length === 0;
  process.exitCode = clean && report.requests >= requests ? 0 : 1;
} finally {
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
}

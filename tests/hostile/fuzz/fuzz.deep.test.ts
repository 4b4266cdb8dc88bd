import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Product } from '@cellarman/local-stack';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fuzzProduct, startProductToFuzz } from './fuzz-product.ts';
import { findSchemathesis } from './schemathesis.ts';

let dataDir: string;
let product: Product;

const environment = await findSchemathesis();
const python = 'missing' in environment ? undefined : environment.python;
if ('missing' in environment) process.stderr.write(`NOT RUN: fuzzing. ${environment.missing}\n`);

describe.runIf(python !== undefined)('ingest, key-service and query', () => {
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'cellarman-fuzz-'));
    product = await startProductToFuzz(dataDir);
  });

  afterAll(async () => {
    await product.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('10,000 requests made of the OpenAPI documents get documented responses, and none is a lasting 5xx', async () => {
    const { complaints, ...report } = await fuzzProduct(product.run(), {
      python: python ?? '',
      perOperation: { ingest: 2_300, batch: 400, keyService: 80, query: 60 },
      // The long version, `pnpm fuzz`, takes another seed each time.
      seed: 1,
    });
    process.stdout.write(`${JSON.stringify(report)}\n`);
    expect(complaints).toBe('');
    expect(report).toMatchObject({ serverErrors: 0, unreached: [] });
    expect(report.requests).toBeGreaterThanOrEqual(10_000);
  }, 900_000);
});

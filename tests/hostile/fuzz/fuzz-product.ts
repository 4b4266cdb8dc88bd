import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProduct } from '@cellarman/local-stack';
import type { Product, RunFile } from '@cellarman/local-stack';
import { fuzzApi } from './fuzz-api.ts';
import type { Count, Fuzzed } from './fuzz-api.ts';
import { prepareProduct } from './prepare-product.ts';

const documents = join(import.meta.dirname, '..', '..', '..', 'docs', 'openapi');
const INGEST = join(documents, 'ingest.json');
const KEY_SERVICE = join(documents, 'key-service.json');
const QUERY = join(documents, 'query.json');

/** They take far longer to make up than a single reading. */
const BATCH = '^/api/v1/ingest/batch$|^/api/v2/write$|^/write$|^/v1/metrics$';
const INTERNAL_TOKEN = 'internal-token-of-the-fuzz';
/** Splits key-service in two halves for two users: neither half changes the credentials of the other. */
const OF_CELLARS = '^/api/v1/cellars';
/** On ports of their own. */
const OPERATIONS = '^/(livez$|readyz$|metrics$)';
const NOT_FOR_CLIENTS = '^/(internal/|livez$|readyz$|metrics$)';
/** It works once, before anything else. */
const SET_UP = 'POST /api/v1/setup';

export interface FuzzPlan {
  /** The interpreter of an environment that has schemathesis. */
  python: string;
  /** Maximum number of random requests for each operation. The others try the edges of the document, one by one. */
  perOperation: { ingest: number; batch: number; keyService: number; query: number };
  seed: number;
}

export interface FuzzReport {
  requests: number;
  /** By status. */
  answers: Record<string, number>;
  /** Without 503, which must be gone when the request is sent again. */
  serverErrors: number;
  /** Operations of the documents without a 2xx response, which were hardly tested. */
  unreached: string[];
  /** What schemathesis said where it was not content; empty otherwise. */
  complaints: string;
}

/** A product that fuzzProduct() may have. */
export function startProductToFuzz(dataDir: string): Promise<Product> {
  const env = { INTERNAL_TOKEN, ALERTS_TOKEN: INTERNAL_TOKEN };
  return startProduct({
    dataDir,
    ports: 'free',
    env: {
      ingest: env,
      // Half an hour may pass between two requests with the session.
      'key-service': { ...env, SESSION_IDLE_SECONDS: '43200' },
      sink: env,
      // Each live stream lasts as long as this.
      query: { ...env, STREAM_MAX_SECONDS: '1' },
    },
  });
}

/** Fuzzes all public services of that product concurrently. Its cellars and sessions are unusable afterwards. */
export async function fuzzProduct(product: RunFile, plan: FuzzPlan): Promise<FuzzReport> {
  const { python, seed, perOperation } = plan;
  const { apiKey, existing } = await prepareProduct(product);
  const ingest = {
    ...{ python, seed, existing, document: INGEST, url: product.ingestUrl },
    headers: { 'X-API-Key': apiKey },
  };
  const keyService = {
    ...{ python, seed, existing, document: KEY_SERVICE, url: product.keyServiceUrl },
    headers: { Authorization: `Bearer ${INTERNAL_TOKEN}` },
    perOperation: perOperation.keyService,
  };
  const query = {
    ...{ python, seed, existing, document: QUERY, url: product.queryUrl },
    // For its internal routes. The others do not look at it beside a key or a session.
    headers: { Authorization: `Bearer ${INTERNAL_TOKEN}` },
    perOperation: perOperation.query,
  };
  const runs = await Promise.all([
    fuzzApi({ ...ingest, paths: { without: BATCH }, perOperation: perOperation.ingest }),
    fuzzApi({ ...ingest, paths: { only: BATCH }, perOperation: perOperation.batch }),
    fuzzApi({ ...keyService, paths: { without: `${OF_CELLARS}|${NOT_FOR_CLIENTS}` } }),
    fuzzApi({ ...keyService, paths: { only: OF_CELLARS } }),
    fuzzApi({ ...keyService, paths: { only: NOT_FOR_CLIENTS }, url: product.keyServiceInternalUrl }),
    fuzzApi({ ...query, paths: { without: OPERATIONS } }),
    fuzzApi({ ...query, paths: { only: OPERATIONS }, url: product.queryOperationsUrl }),
  ]);
  const documented = await Promise.all([INGEST, KEY_SERVICE, QUERY].map(operationsOf));
  const operations = [...new Set(documented.flat())];
  return report(
    runs,
    operations.filter((operation) => operation !== SET_UP),
  );
}

function report(runs: Fuzzed[], operations: string[]): FuzzReport {
  const tally = runs.flatMap((run) => run.tally);
  const reached = new Set(tally.filter(({ status }) => status < 300).map(({ operation }) => operation));
  const answers: Record<string, number> = {};
  for (const { status, count } of tally) answers[status] = (answers[status] ?? 0) + count;
  return {
    requests: sum(tally),
    answers,
    serverErrors: sum(tally.filter(({ status }) => status >= 500 && status !== 503)),
    unreached: operations.filter((operation) => !reached.has(operation)),
    complaints: runs.map(({ passed, output }) => (passed ? '' : output)).join(''),
  };
}

/** As the tally names them: `GET /livez`. */
async function operationsOf(document: string): Promise<string[]> {
  const { paths } = JSON.parse(await readFile(document, 'utf8')) as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

function sum(counts: Count[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}

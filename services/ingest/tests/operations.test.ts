import { createOperationsApp, createReadiness } from '@cellarman/lifecycle';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp } from './ingest-app.ts';
import type { TestApp } from './ingest-app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ config: { OPERATIONS_PORT: 1 } });
});
afterAll(() => app.close());

it('probes and metrics have a port of their own when one is given', async () => {
  for (const path of ['/livez', '/readyz', '/metrics'])
    expect((await fetch(app.url + path)).status).toBe(404);

  const readiness = createReadiness({ parts: ['kafka'] });
  const operations = createOperationsApp({ readiness, metricsText: () => app.metrics() });
  expect((await operations.inject('/readyz')).statusCode).toBe(503);
  readiness.set('kafka', true);
  expect((await operations.inject('/readyz')).statusCode).toBe(200);
  expect((await operations.inject('/livez')).statusCode).toBe(200);
  expect((await operations.inject('/metrics')).body).toContain('cellarman_ingest_responses_total');
  await operations.close();
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { clickhouseVariables } from '@cellarman/local-stack';
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { startCollector } from '../../libs/telemetry/tests/collector.ts';
import { createTestDatabase } from '../../services/key-service/tests/test-database.ts';

/** Clients of key-service and query send `traceparent` too. It continues a trace, and does not decide that it is recorded. */
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const ROOT = join(import.meta.dirname, '../..');

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

const SERVICES = [
  { service: 'key-service', path: '/api/v1/cellars' },
  { service: 'query', path: '/api/v1/query/cellars' },
];

async function environmentOf(service: string): Promise<Record<string, string>> {
  const { databaseUrl, redisUrl } = inject('engines');
  if (service === 'query')
    return { ...clickhouseVariables(inject('engines')), KEY_SERVICE_URL: 'http://127.0.0.1:9' };
  const database = await createTestDatabase(databaseUrl);
  cleanUps.push(() => database.stop());
  return {
    ...{ DATABASE_URL: database.url, REDIS_URL: redisUrl, REDIS_PREFIX: 'foreign-traceparent:' },
    ...{ ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'correct horse battery' },
  };
}

/** Starts the service as operators do, sends it one unauthenticated request, stops it, and returns what it exported. */
async function exportedBy({ service, path }: { service: string; path: string }, ratio: number) {
  const collector = await startCollector();
  cleanUps.push(() => collector.close());
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [`services/${service}/src/main.ts`], {
    cwd: ROOT,
    env: {
      ...{ PATH, NODE_COMPILE_CACHE, HOST: '127.0.0.1', PORT: '0', DEREGISTRATION_DELAY_MS: '0' },
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_TRACES_SAMPLER_ARG: String(ratio) },
      INTERNAL_TOKEN: 'internal-token-of-the-tests',
      ...(await environmentOf(service)),
    },
  });
  const exited = once(child, 'exit');
  cleanUps.push(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const url = await vi.waitFor(
    () => {
      const [, found] = /"url":"(http:[^"]+)"/.exec(output) ?? [];
      if (found === undefined) throw new Error(`it does not listen yet: ${output}`);
      return found;
    },
    { timeout: 60_000, interval: 50 },
  );
  const response = await fetch(url + path, { headers: { traceparent: TRACEPARENT } });
  expect(response.status).toBe(401);
  await response.text();
  // It sends what is left before it ends.
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  return Buffer.concat(collector.at('/v1/traces')).toString('latin1');
}

describe.each(SERVICES)('$service', (service) => {
  test('does not record a trace because a client says so', async () => {
    expect(await exportedBy(service, 0)).toBe('');
  });

  test('continues the trace of a client when it records one', async () => {
    const id = Buffer.from('0af7651916cd43dd8448eb211c80319c', 'hex').toString('latin1');
    expect(await exportedBy(service, 1)).toContain(id);
  });
});

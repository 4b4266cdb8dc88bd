import { generateApiKey, hashApiKey } from '@cellarman/api-key';
import { startService } from '@cellarman/lifecycle';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test, vi } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { query as definition } from '../src/start.ts';
import { keyRecord } from '../../../libs/key-service-client/tests/key-record.ts';

const apiKey = generateApiKey();
const KEY = keyRecord({ id: 'k1', hash: hashApiKey(apiKey), scopes: ['read'] });

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** Responds like key-service and ClickHouse; a download of CSV stays unfinished until `finish`. */
async function startEngines() {
  const downloads: ServerResponse[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const asked = await text(request);
    if (request.url?.startsWith('/internal/') === true) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ answers: [{ epoch: 'e', number: 1, key: KEY }] }));
    } else if (asked.includes('FORMAT CSV')) {
      response.write('"first"\n');
      downloads.push(response);
    } else response.end(asked.includes('schema_migrations') ? '{"isThere":1}\n' : '');
  }
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => server.close().closeAllConnections());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    downloads,
    finish: () => downloads.forEach((download) => download.end('"last"\n')),
  };
}

test('a download that takes longer than five seconds more arrives whole, in the time that a stop may take', async () => {
  const engines = await startEngines();
  const config = loadConfig({
    ...{ PORT: '0', DEREGISTRATION_DELAY_MS: '0', LOG_LEVEL: 'silent', SHUTDOWN_DEADLINE_MS: '20000' },
    ...{ KEY_SERVICE_URL: engines.url, CLICKHOUSE_URL: engines.url, INTERNAL_TOKEN: 'token-of-the-services' },
  });
  const query = await startService(definition, config);
  const answer = await fetch(`${query.url}/api/v1/query/cellars/demo/readings?format=csv`, {
    headers: { 'x-api-key': apiKey },
  });
  expect(answer.status).toBe(200);
  const body = answer.text();
  await expect.poll(() => engines.downloads).toHaveLength(1);

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const stopped = query.stop((_name, run) => run());
  await vi.waitFor(() => expect(fetch(`${query.url}/livez`)).rejects.toThrow('fetch failed'), 20_000);
  await vi.advanceTimersByTimeAsync(15_000);
  engines.finish();
  expect(await body).toMatch(/first[^]*last/);
  let isStopped = false;
  void stopped.then(() => (isStopped = true));
  // The client of ClickHouse uses these timers too; they advance while this waits.
  await vi.waitFor(() => expect(isStopped).toBe(true), { timeout: 20_000 });
});

import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { generateApiKey, hashApiKey } from '@cellarman/api-key';
import type { KeyRecord } from '@cellarman/contracts';
import { createReadiness } from '@cellarman/lifecycle';
import { createLogger } from '@cellarman/telemetry';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createApp } from '../src/app.ts';
import type { ClickHouse } from '@cellarman/clickhouse';
import { createSelect } from '../src/clickhouse/select.ts';
import { createSlots } from '../src/clickhouse/slots.ts';
import type { Slots } from '../src/clickhouse/slots.ts';
import { withoutBounds } from './without-bounds.ts';
import { keyRecord } from '../../../libs/key-service-client/tests/key-record.ts';

/** A client that disconnects during its key lookup. The ClickHouse stub records the queries. */
const apiKey = generateApiKey();
const KEY = keyRecord({ id: 'k1', hash: hashApiKey(apiKey), scopes: ['read'] });
const LINE = { text: '{}', json: () => ({}) };

let slots: Slots;
let asked: unknown[];
let waiting: ((key: KeyRecord) => void)[];
let log: string[];
let app: Awaited<ReturnType<typeof createApp>>;

beforeEach(async () => {
  slots = createSlots({ running: 1, runningPerReader: 1, waiting: 0, waitMs: 0 });
  asked = [];
  waiting = [];
  log = [];
  const clickhouse = {
    query: async (question: unknown) => {
      asked.push(question);
      return { json: async () => [], stream: () => Readable.from([[LINE]]), close: () => undefined };
    },
  } as unknown as ClickHouse;
  app = await createApp({
    keyService: {
      findKey: () => new Promise((resolve) => void waiting.push(resolve)),
      findSession: async () => null,
      kegUnits: async () => [],
      lastRejection: async () => null,
    },
    ...withoutBounds,
    selectAs: createSelect({
      ...{ clickhouse, slots, timeoutSeconds: 1, maxMemoryBytes: 1, streamMaxSeconds: 1 },
    }),
    clock: () => new Date(),
    readiness: createReadiness({ parts: ['clickhouse'] }),
    metricsText: async () => '',
    logger: createLogger(
      { service: 'test', version: '0', level: 'info' },
      { write: (line) => void log.push(line) },
    ),
  });
});
afterEach(() => app.close());

test.each(['csv', 'ndjson', 'json'])('leaves no slot behind, and nothing is queried: %s', async (format) => {
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  const clients = () =>
    new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)));
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `GET /api/v1/query/cellars/demo/readings?format=${format} HTTP/1.1\r\nHost: test\r\nX-API-Key: ${apiKey}\r\n\r\n`,
  );
  await expect.poll(() => waiting.length).toBe(1);
  socket.destroy();
  await expect.poll(clients).toBe(0);
  waiting.shift()?.(KEY);

  // When the next client is served, the disconnected one has been handled.
  const next = fetch(`http://127.0.0.1:${port}/api/v1/query/cellars/demo/readings?format=${format}`, {
    headers: { 'x-api-key': apiKey },
  });
  await expect.poll(() => waiting.length).toBe(1);
  expect(slots.running()).toBe(0);
  expect(asked).toEqual([]);
  waiting.shift()?.(KEY);
  expect((await next).status).toBe(200);
  await (await next).text();
  expect(slots.running()).toBe(0);
  expect(log.join('')).not.toContain('failed');
});

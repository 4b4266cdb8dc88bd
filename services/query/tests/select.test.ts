import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, ClickHouseLogLevel } from '@clickhouse/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSelect } from '../src/clickhouse/select.ts';
import type { Select } from '../src/clickhouse/select.ts';
import { createSlots } from '../src/clickhouse/slots.ts';
import type { Slots } from '../src/clickhouse/slots.ts';

/** The slot of a stream whose client reads nothing at all. The server stands in for ClickHouse, so that it can break off. */
const STATEMENT = { sql: 'SELECT 1', params: {}, maxRows: 1_000_000 };
const ROWS = '"a row of some length"\n'.repeat(20_000);

let slots: Slots;
let selectWithin: (timeoutSeconds: number) => Select;
let responses: ServerResponse[];
let withholdsRows: boolean;
/** How many requests get a closed connection instead of a response. */
let resets: number;
const cleanUps: (() => unknown)[] = [];
beforeEach(async () => {
  responses = [];
  withholdsRows = false;
  resets = 0;
  const server = createServer((request, response) => {
    if (resets-- > 0) {
      request.socket.destroy();
      return;
    }
    if (!withholdsRows) response.write(ROWS);
    responses.push(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const clickhouse = createClient({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log: { level: ClickHouseLogLevel.OFF },
  });
  cleanUps.push(async () => {
    await clickhouse.close();
    server.close().closeAllConnections();
  });
  slots = createSlots({ running: 1, runningPerReader: 1, waiting: 0, waitMs: 0 });
  selectWithin = (timeoutSeconds) =>
    createSelect({ clickhouse, slots, timeoutSeconds, streamMaxSeconds: 60, maxMemoryBytes: 1_000 })({
      id: 'key',
    });
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

async function collect(lines: AsyncIterable<readonly string[]>): Promise<string[]> {
  const all: string[] = [];
  for await (const texts of lines) all.push(...texts);
  return all;
}

const never = new AbortController().signal;

test('is released when ClickHouse has sent everything, and the client reads it later', async () => {
  const lines = await selectWithin(60).lines(STATEMENT, 'CSV', never);
  expect(slots.running()).toBe(1);
  responses[0]?.end('"last"\n');
  await expect.poll(slots.running).toBe(0);
  const all = await collect(lines);
  expect([all.length, all.at(-1)]).toEqual([20_001, '"last"']);
});

test('is released when ClickHouse has failed, and the client hears of it later', async () => {
  const lines = await selectWithin(60).lines(STATEMENT, 'CSV', never);
  responses[0]?.destroy();
  await expect.poll(slots.running).toBe(0);
  await expect(collect(lines)).rejects.toMatchObject({ code: 'unavailable' });
});

test('is released when ClickHouse takes too long to find the first row', async () => {
  withholdsRows = true;
  const lines = selectWithin(1).lines(STATEMENT, 'CSV', never);
  await expect(lines).rejects.toMatchObject({ code: 'query_too_expensive' });
  expect(slots.running()).toBe(0);
});

test('is released when the client has left before the first row', async () => {
  const left = new AbortController();
  await selectWithin(60).lines(STATEMENT, 'CSV', left.signal);
  expect(slots.running()).toBe(1);
  left.abort();
  await expect.poll(slots.running).toBe(0);
  expect(responses[0]?.destroyed).toBe(true);
});

test('a SELECT whose connection was closed before the response is sent again, once', async () => {
  resets = 1;
  const lines = await selectWithin(60).lines(STATEMENT, 'CSV', never);
  responses[0]?.end();
  expect(await collect(lines)).toHaveLength(20_000);

  resets = 2;
  await expect(selectWithin(60).lines(STATEMENT, 'CSV', never)).rejects.toMatchObject({
    code: 'unavailable',
  });
  expect(resets).toBe(0);
  expect(slots.running()).toBe(0);
});

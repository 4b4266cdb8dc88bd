import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { afterEach, expect, test } from 'vitest';
import type { NumberedReading } from './ledger.ts';
import { postBatch } from './post.ts';

let close: () => Promise<unknown> = () => Promise.resolve();
afterEach(() => close());

const reading = { cellar: 'demo', rack: 'r', keg: 'k', value: 1, timestamp: '2026-11-21T06:30:00Z' };
const readings: NumberedReading[] = [0, 1, 2].map((number) => ({ number, reading }));
const listed = (code: string) => ({ status: 'partial', accepted: 2, errors: [{ index: 1, code }] });

test.each([
  [200, { status: 'success', accepted: 3 }, '200', ['acknowledged', 'acknowledged', 'acknowledged']],
  [503, listed('unavailable'), '503 unavailable', ['acknowledged', 'rejected', 'acknowledged']],
  [207, listed('invalid_reading'), '207 invalid_reading', ['acknowledged', 'rejected', 'acknowledged']],
  [503, { status: 'error', code: 'unavailable' }, '503 unavailable', ['rejected', 'rejected', 'rejected']],
])('a batch with the response %i %o', async (status, body, answer, outcomes) => {
  const server = createServer((_request, response) => {
    response.writeHead(status).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  close = () => Promise.all([pool.close(), new Promise((resolve) => server.close(resolve))]);
  expect(await postBatch(pool, 'cm_key', readings)).toEqual({ answer, outcomes });
});

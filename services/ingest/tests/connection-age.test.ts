import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limitConnectionAge } from '../src/http/connection-age.ts';
import { openRawSocket, parseAnswers } from './raw-socket.ts';
import { post, reading, startTestApp } from './ingest-app.ts';

const MAX_AGE_MS = 1_000;
let server: Server;
let clock: number;
let waiting: ServerResponse[];

beforeEach(async () => {
  clock = 0;
  waiting = [];
  server = createServer((_request, response) => void waiting.push(response));
  limitConnectionAge(server, { maxAgeMs: MAX_AGE_MS, now: () => clock });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const open = () => openRawSocket((server.address() as AddressInfo).port);
const REQUEST = 'GET / HTTP/1.1\r\nhost: ingest\r\n\r\n';
const POLL = { interval: 2, timeout: 10_000 };
const hasWaiting = (count: number) => expect.poll(() => waiting.length, POLL).toBe(count);

/** Sends a request and returns the `Connection` header of its response. */
async function ask(client: Awaited<ReturnType<typeof open>>): Promise<string | undefined> {
  const before = client.received().length;
  client.send(REQUEST);
  await hasWaiting(1);
  waiting.pop()?.end('stored');
  await expect.poll(() => client.received().slice(before), POLL).toContain('stored');
  return parseAnswers(client.received().slice(before))[0]?.headers['connection'];
}

it('closes a connection with the first response after its maximum age, at most 20 % earlier or later', async () => {
  const client = await open();
  expect(await ask(client)).toBe('keep-alive');
  clock = 0.79 * MAX_AGE_MS;
  expect(await ask(client)).toBe('keep-alive');
  clock = 1.21 * MAX_AGE_MS;
  expect(await ask(client)).toBe('close');
  await client.closed;
});

it('does not close many connections of the same age together', async () => {
  const clients = await Promise.all(Array.from({ length: 30 }, open));
  for (const client of clients) await ask(client);
  clock = MAX_AGE_MS;
  const answers: (string | undefined)[] = [];
  for (const client of clients) answers.push(await ask(client));
  expect(new Set(answers)).toEqual(new Set(['close', 'keep-alive']));
});

it('responds to a request in progress, and to those that are pipelined behind it', async () => {
  const client = await open();
  await ask(client);
  clock = 2 * MAX_AGE_MS;
  client.send(REQUEST);
  await hasWaiting(1);
  client.send(REQUEST);
  await hasWaiting(2);
  for (const response of waiting) response.end('stored');
  const received = await client.closed;
  expect(received.match(/stored/g)).toHaveLength(3);
  expect(received.match(/connection: (?:close|keep-alive)/gi)).toEqual([
    ...['Connection: keep-alive', 'Connection: keep-alive'],
    'Connection: close',
  ]);
});

it('is off by default, and counted in seconds when it is on', async () => {
  const app = await startTestApp({ config: { CONNECTION_MAX_AGE_SECONDS: 1 } });
  const apiKey = app.keyService.addKey();
  const send = async () => (await post(app.url, apiKey, reading())).headers.get('connection');
  // A busy machine may take a second to open a connection and to respond.
  await expect.poll(send).toBe('keep-alive');
  await expect.poll(send).toBe('close');
  await expect.poll(send).toBe('keep-alive');
  await app.close();
});

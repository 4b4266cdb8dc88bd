import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LookupResponse } from '@cellarman/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyRecord } from './key-record.ts';
import { createKeyServiceClient } from '../src/index.ts';

const ACCESS = { token: 'token-of-the-services', timeoutMs: 3_000 };
const KEY = keyRecord({ hash: 'a'.repeat(64), scopes: ['read'] });

/** Returns the same record for every request. */
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const answers: LookupResponse = { answers: [{ epoch: 'e', number: 1, key: KEY }] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers));
  });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.close().closeAllConnections();
});

test('the record of a key is accepted for its own hash alone', async () => {
  const { port } = server.address() as AddressInfo;
  const client = createKeyServiceClient({ url: `http://127.0.0.1:${port}`, ...ACCESS });
  expect((await client.lookUp(KEY.hash)).key).toEqual(KEY);
  await expect(client.lookUp('b'.repeat(64))).rejects.toThrow('the record of another key');
});

test('the lookup of a session says when no person has caused it', async () => {
  const marks: unknown[] = [];
  const answering = createServer((request, response) => {
    marks.push(request.headers['x-cellarman-background']);
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"session":null}');
    });
  });
  await new Promise<void>((resolve) => answering.listen(0, '127.0.0.1', resolve));
  const { port } = answering.address() as AddressInfo;
  const client = createKeyServiceClient({ url: `http://127.0.0.1:${port}`, ...ACCESS });
  await client.findSession('id', false);
  await client.findSession('id', true);
  expect(marks).toEqual([undefined, '1']);
  answering.close().closeAllConnections();
});

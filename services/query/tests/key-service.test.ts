import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KeyRecord, LookUpAnswers } from '@cellarman/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKeyService } from '../src/access/key-service.ts';

const KEY: KeyRecord = {
  ...{ id: 'k1', hash: 'a'.repeat(64), cellar: 'demo', rack: null, rackPrefix: null, scopes: ['read'] },
  ...{ expiresAt: null, revokedAt: null, ratePerSecond: null, rateBurst: null, retentionDays: 90 },
};

/** Returns the same record whatever it is asked for. */
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const answers: LookUpAnswers = { answers: [{ epoch: 'e', number: 1, key: KEY }] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers));
  });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.close().closeAllConnections();
});

test('the record of a key is accepted for its own hash alone', async () => {
  const { port } = server.address() as AddressInfo;
  const keyService = createKeyService({ url: `http://127.0.0.1:${port}`, token: 'token-of-the-services' });
  expect(await keyService.findKey(KEY.hash)).toEqual(KEY);
  await expect(keyService.findKey('b'.repeat(64))).rejects.toMatchObject({ code: 'unavailable' });
});

test('the look-up of a session tells that nobody has asked', async () => {
  const marks: unknown[] = [];
  const answering = createServer((request, response) => {
    marks.push(request.headers['x-cellarman-background']);
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"session":null}');
    });
  });
  await new Promise<void>((resolve) => answering.listen(0, '127.0.0.1', resolve));
  const { port } = answering.address() as AddressInfo;
  const keyService = createKeyService({ url: `http://127.0.0.1:${port}`, token: 'token-of-the-services' });
  await keyService.findSession('id');
  await keyService.findSession('id', { isBackground: true });
  expect(marks).toEqual([undefined, '1']);
  answering.close().closeAllConnections();
});

import { serverTls } from '@cellarman/tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mountSecret } from '../../../libs/tls/tests/mounted-secret.ts';
import type { MountedSecret } from '../../../libs/tls/tests/mounted-secret.ts';
import { createTestAuthority } from '../../../libs/tls/tests/test-authority.ts';
import { reading, silent, startTestApp } from './ingest-app.ts';
import type { TestApp } from './ingest-app.ts';
import { openRawSocket, parseAnswers } from './raw-socket.ts';
import type { RawSocket } from './raw-socket.ts';

/* What ingest does with its sockets by itself, when they speak TLS. */

let app: TestApp;
let apiKey: string;
let secret: MountedSecret;
let authority: string;

beforeAll(async () => {
  const ca = await createTestAuthority();
  authority = ca.certificate;
  secret = await mountSecret();
  await secret.write({ certificate: await ca.issue() });
  app = await startTestApp({
    config: { HEADERS_TIMEOUT_MS: 300 },
    tls: serverTls({ TLS_CERT_FILE: secret.certFile, TLS_KEY_FILE: secret.keyFile }, silent),
  });
  apiKey = app.keyService.addKey();
});
afterAll(async () => {
  await app.close();
  await secret.remove();
});

const open = (): Promise<RawSocket> => openRawSocket(app.port, authority);

function request(length: number, ...more: string[]): string {
  const lines = ['POST /api/v1/ingest HTTP/1.1', 'Host: test', `X-API-Key: ${apiKey}`];
  return [...lines, 'Content-Type: application/json', `Content-Length: ${length}`, ...more, '', ''].join(
    '\r\n',
  );
}

const statusesOf = async (raw: RawSocket) => parseAnswers(await raw.closed).map(({ status }) => status);

test('pipelined readings get their responses in order, and then what is not HTTP gets its error', async () => {
  const raw = await open();
  const body = JSON.stringify(reading());
  raw.send((request(body.length) + body).repeat(2) + 'NONSENSE\r\n\r\n');
  expect(await statusesOf(raw)).toEqual([200, 200, 400]);
});

test('a client that is still sending gets its rejection, not a reset', async () => {
  const errors: Error[] = [];
  const raw = await open();
  raw.socket.on('error', (error) => errors.push(error));
  raw.send(request(5_000_000));
  await expect.poll(() => raw.received()).toContain('payload_too_large');
  for (let sent = 0; sent < 4_000_000; sent += 100_000) raw.send(Buffer.alloc(100_000, 'x'));
  expect([await statusesOf(raw), errors]).toEqual([[413], []]);
});

test('a client that is too slow gets 408', async () => {
  const raw = await open();
  raw.send('POST /api/v1/ingest HTTP/1.1\r\nX-API');
  expect(await statusesOf(raw)).toEqual([408]);
});

test('plain text gets no response', async () => {
  const raw = await openRawSocket(app.port);
  raw.send(request(0));
  expect(await raw.closed).toBe('');
});

import { once } from 'node:events';
import { createServer, request } from 'node:https';
import type { Server } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, TLSSocket } from 'node:tls';
import type { ConnectionOptions } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clickHouseCertificate, redisTls } from '../src/index.ts';
import { redisHint } from '../src/redis-outage.ts';
import { mountSecret } from './mounted-secret.ts';
import type { MountedSecret } from './mounted-secret.ts';
import { createTestAuthority } from './test-authority.ts';
import type { TestAuthority } from './test-authority.ts';

let authority: TestAuthority;
let secret: MountedSecret;
let server: Server;
let port: number;

beforeAll(async () => {
  authority = await createTestAuthority();
  secret = await mountSecret();
  const asks = { requestCert: true, ca: authority.certificate };
  server = createServer({ ...(await authority.issue()), ...asks }, (asked, response) => {
    const { socket } = asked;
    if (!(socket instanceof TLSSocket)) throw new Error('this is plain text');
    response.setHeader('name', String(socket.servername));
    response.end(socket.getPeerCertificate().subject.CN);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await secret.remove();
});

const renew = async (subject: string) => secret.write({ certificate: await authority.issue({ subject }) });

test('ClickHouse is shown our certificate, and the renewed one by the next connection', async () => {
  await renew('first');
  const { http_agent: agent } = clickHouseCertificate(secret, { user: 'sink', password: 'secret' });
  const ask = async (): Promise<string> => {
    const options = { port, host: 'localhost', ca: authority.certificate, headers: { connection: 'close' } };
    const [answer] = (await once(request({ ...options, agent }).end(), 'response')) as [IncomingMessage];
    return (await answer.toArray()).join('');
  };
  expect(await ask()).toBe('first');
  await renew('second');
  expect(await ask()).toBe('second');
  // Files that are just being replaced: what was there before is shown.
  const [one, another] = await Promise.all([authority.issue({ subject: 'third' }), authority.issue()]);
  await secret.write({ certificate: { cert: one.cert, key: another.key } });
  expect(await ask()).toBe('second');
  agent?.destroy();
});

test('the certificate stands for the password of a user of ClickHouse who has none, and only then', async () => {
  await renew('sink');
  expect(clickHouseCertificate(secret, { user: 'sink' })).toMatchObject({
    set_basic_auth_header: false,
    http_headers: { 'X-ClickHouse-User': 'sink', 'X-ClickHouse-SSL-Certificate-Auth': 'on' },
  });
  expect(Object.keys(clickHouseCertificate(secret, { user: 'sink', password: 'secret' }))).toEqual([
    'http_agent',
  ]);
  expect(clickHouseCertificate(undefined, { user: 'sink' })).toEqual({});
});

test('Redis gets our certificate and its server name, and a connection without TLS if the URL has no TLS', async () => {
  await renew('ingest');
  const tls = redisTls(`rediss://:pass@localhost:${port}`, secret).tls as ConnectionOptions;
  // As ioredis does for each connection.
  const open = async (): Promise<string> => {
    const socket = connect(Object.assign({ port, host: 'localhost', ca: authority.certificate }, tls));
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    return (await socket.toArray()).join('');
  };
  expect(await open()).toMatch(/name: localhost[\s\S]*ingest$/);
  await renew('renewed');
  expect(await open()).toMatch(/renewed$/);
  expect(redisTls('rediss://10.0.0.1:6379')).toEqual({ tls: {} });
  expect(redisTls('redis://localhost:6379', secret)).toEqual({});
  expect(redisTls('redis://:pass#word@localhost:6379')).toEqual({});
});

test('a Redis of TLS that hangs up on plain text gets a hint', () => {
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  expect(redisHint('redis://redis', reset).hint).toMatch(/rediss:\/\//);
  expect(redisHint('rediss://redis', reset)).toEqual({});
  expect(redisHint('redis://redis', new Error('connect ECONNREFUSED'))).toEqual({});
});

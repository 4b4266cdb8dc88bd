import { once } from 'node:events';
import { createServer as createPlainServer } from 'node:http';
import type { Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import type { ConnectionOptions } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tlsHint } from '../src/index.ts';
import type { Certificate } from '../src/index.ts';
import { createTestAuthority } from './test-authority.ts';
import type { TestAuthority } from './test-authority.ts';

let authority: TestAuthority;
let stranger: Certificate;
const servers: Server[] = [];

beforeAll(async () => {
  authority = await createTestAuthority();
  stranger = await (await createTestAuthority('a stranger')).issue();
});
afterAll(() => servers.forEach((server) => server.close()));

type Kind = 'usual' | 'ended' | 'asks for ours' | 'plain' | 'mute';

async function start(kind: Kind): Promise<number> {
  const server = await make(kind);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function make(kind: Kind): Promise<Server> {
  if (kind === 'plain') return createPlainServer();
  if (kind === 'mute') {
    const { createServer: createTcpServer } = await import('node:net');
    return createTcpServer((socket) => socket.end());
  }
  const certificate = await authority.issue(kind === 'ended' ? { endsAt: new Date(Date.now() - 1_000) } : {});
  const asks = kind === 'asks for ours' ? { requestCert: true, ca: authority.certificate } : {};
  const server = createServer({ ...certificate, ...asks }, (socket) => socket.end('hello'));
  server.on('tlsClientError', () => undefined);
  return server;
}

/** What a connection fails with, be it while it is made or at its first byte. */
async function failure(kind: Kind, options: ConnectionOptions): Promise<unknown> {
  const socket = connect({
    host: '127.0.0.1',
    port: await start(kind),
    ca: authority.certificate,
    ...options,
  });
  try {
    const [data] = (await once(socket, 'data')) as [Buffer];
    return data.toString();
  } catch (error) {
    return error;
  } finally {
    socket.destroy();
  }
}

test.each<[string, Kind, () => ConnectionOptions, RegExp]>([
  [
    'signed by an unknown authority',
    'usual',
    () => ({ ca: stranger.cert }),
    /add that authority to the file in NODE_EXTRA_CA_CERTS/,
  ],
  ['for another name', 'usual', () => ({ servername: 'other' }), /use one of them in the URL/],
  ['that has expired', 'ended', () => ({}), /renew it, or check the clocks/],
  ['of none, where we have to show ours', 'asks for ours', () => ({}), /_TLS_CERT_FILE/],
  ['from a server that speaks plain HTTP', 'plain', () => ({}), /does not speak TLS at this port/],
  ['from a server that closes the connection', 'mute', () => ({}), /check the scheme and the port/],
])('a certificate %s: the log says what to do', async (_, kind, options, hint) => {
  const error = await failure(kind, options());
  expect(error).toBeInstanceOf(Error);
  expect(tlsHint(error)).toMatch(hint);
  // As fetch and rejections wrap it.
  expect(tlsHint(new Error('outer', { cause: new AggregateError([error]) }))).toMatch(hint);
});

test('a certificate of ours that is rejected: the log says what to do', () => {
  // Java and OpenSSL differ in their alerts. Node, as a server, gives none.
  const codes = [
    'TLSV1_ALERT_UNKNOWN_CA',
    'SSL/TLS_ALERT_BAD_CERTIFICATE',
    'SSLV3_ALERT_CERTIFICATE_UNKNOWN',
  ];
  for (const code of codes) {
    const alert = Object.assign(new Error('alert'), { code: `ERR_SSL_${code}` });
    expect(tlsHint(alert)).toMatch(/requires a client certificate that it trusts/);
  }
});

test('what has nothing to do with TLS gets no hint', () => {
  const rejected = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  expect([rejected, new Error('fault'), 'text', undefined].map(tlsHint)).toEqual(Array(4).fill(undefined));
  const circle = new Error('circle');
  circle.cause = circle;
  expect(tlsHint(circle)).toBe(undefined);
});

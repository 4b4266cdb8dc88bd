import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { get as getPlain } from 'node:http';
import { Agent, createServer, get } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { connect, TLSSocket } from 'node:tls';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { serverTls } from '../src/index.ts';
import { createLines } from './lines.ts';
import { mountSecret } from './mounted-secret.ts';
import type { MountedSecret } from './mounted-secret.ts';
import { createTestAuthority } from './test-authority.ts';
import type { TestAuthority } from './test-authority.ts';

let authority: TestAuthority;
let secret: MountedSecret;
let server: Server;
let port: number;
let logger: ReturnType<typeof createLines>;
/** Keeps one connection. */
let kept: Agent;

beforeAll(async () => (authority = await createTestAuthority()));

beforeEach(async () => {
  secret = await mountSecret();
  await secret.write({ certificate: await authority.issue() });
  logger = createLines();
  const config = { TLS_CERT_FILE: secret.certFile, TLS_KEY_FILE: secret.keyFile };
  const tls = serverTls(config, logger, { everyMs: 10 });
  server = createServer({ ...tls?.options }, (_request, response) => response.end('hello'));
  tls?.follow(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  kept = new Agent({ keepAlive: true, maxSockets: 1, ca: authority.certificate });
});

afterEach(async () => {
  kept.destroy();
  server.close();
  server.closeAllConnections();
  await secret.remove();
});

/** The serial number that the server shows to a new connection. */
async function shownNow(): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', ca: authority.certificate });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

/** The same for the connection that is kept. */
async function shownToKept(): Promise<{ serialNumber: string; socket: TLSSocket }> {
  const [answer] = (await once(get({ port, host: '127.0.0.1', agent: kept }), 'response')) as [
    IncomingMessage,
  ];
  const { socket } = answer;
  if (!(socket instanceof TLSSocket)) throw new Error('this is plain text');
  const { serialNumber } = socket.getPeerCertificate();
  answer.resume();
  await once(answer, 'end');
  return { serialNumber, socket };
}

const serialOf = (cert: string) => new X509Certificate(cert).serialNumber;

test('a renewed certificate counts for new connections, and open ones go on', async () => {
  const before = await shownToKept();
  const renewed = await authority.issue();
  await secret.write({ certificate: renewed });
  await expect.poll(shownNow, { interval: 10 }).toBe(serialOf(renewed.cert));

  const after = await shownToKept();
  expect(after.socket).toBe(before.socket);
  expect(after.serialNumber).toBe(before.serialNumber);
  expect(after.serialNumber).not.toBe(serialOf(renewed.cert));
  expect(logger.lines).toEqual([`info: reloaded the certificate in ${secret.certFile}`]);
});

test('files that do not fit are reported once, and the certificate in use stays', async () => {
  const inUse = await shownNow();
  const [one, another] = await Promise.all([authority.issue(), authority.issue()]);
  await secret.write({ certificate: { cert: one.cert, key: another.key } });
  await expect.poll(() => logger.lines.length).toBe(1);
  expect(logger.lines[0]).toMatch(
    /^warn: could not reload .*, keeping the previous one: The key in .* is not that/,
  );
  expect(await shownNow()).toBe(inUse);

  await secret.write({ certificate: another });
  await expect.poll(shownNow, { interval: 10 }).toBe(serialOf(another.cert));
  expect(logger.lines).toHaveLength(2);
});

test('nobody speaks TLS older than 1.2, and 1.2 and 1.3 are both taken', async () => {
  const speak = async (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') => {
    const options = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT:@SECLEVEL=0' } as const;
    const socket = connect({ port, host: '127.0.0.1', ca: authority.certificate, ...options });
    try {
      await once(socket, 'secureConnect');
      return socket.getProtocol();
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    } finally {
      socket.destroy();
    }
  };
  expect(await Promise.all([speak('TLSv1.1'), speak('TLSv1.2'), speak('TLSv1.3')])).toEqual([
    'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
    'TLSv1.2',
    'TLSv1.3',
  ]);
});

test('who speaks plain HTTP is cut off, and the log says once what to do', async () => {
  for (let asked = 0; asked < 2; asked++) {
    const [error] = (await once(getPlain({ port, host: '127.0.0.1' }), 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNRESET');
  }
  expect(logger.lines).toEqual(['warn: a client sends plain HTTP to a TLS port: its URL needs https://']);
});

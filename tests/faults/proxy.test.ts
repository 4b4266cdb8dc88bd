import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { HOST, unusedPorts } from '@cellarman/local-stack';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startProxy } from './proxy.ts';
import type { Proxy } from './proxy.ts';

let echo: Server;
let proxy: Proxy;
let port: number;
let sockets: Socket[];

beforeEach(async () => {
  echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket)).listen(0, HOST);
  await once(echo, 'listening');
  [port = 0] = await unusedPorts(1);
  proxy = await startProxy({ port, upstreamPort: (echo.address() as AddressInfo).port });
  sockets = [];
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await proxy.close();
  echo.close();
});

/** A connection, and what came back on it so far. */
function client() {
  const socket = connect(port, HOST);
  sockets.push(socket);
  let received = '';
  let isClosed = false;
  socket.on('data', (piece: Buffer) => (received += piece.toString()));
  socket.on('error', () => undefined);
  socket.on('close', () => (isClosed = true));
  return { socket, received: () => received, isClosed: () => isClosed };
}

test('passes on what comes, in both directions', async () => {
  const { socket, received } = client();
  socket.write('hello');
  await vi.waitFor(() => expect(received()).toBe('hello'));
  expect(proxy.troubled()).toBe(0);
});

test('a cut breaks what is connected and what comes anew', async () => {
  const first = client();
  first.socket.write('hello');
  await vi.waitFor(() => expect(first.received()).toBe('hello'));

  proxy.set({ kind: 'cut' });
  const second = client();
  await vi.waitFor(() => expect([first.isClosed(), second.isClosed()]).toEqual([true, true]));
  expect(proxy.troubled()).toBe(2);

  proxy.set({ kind: 'open' });
  const third = client();
  third.socket.write('again');
  await vi.waitFor(() => expect(third.received()).toBe('again'));
});

test('a stalled way passes nothing, and everything once it is open again', async () => {
  const old = client();
  old.socket.write('a');
  await vi.waitFor(() => expect(old.received()).toBe('a'));

  proxy.set({ kind: 'stalled' });
  const young = client();
  old.socket.write('b');
  young.socket.write('c');
  await vi.waitFor(() => expect(proxy.troubled()).toBe(2));
  expect([old.received(), young.received()]).toEqual(['a', '']);

  proxy.set({ kind: 'open' });
  await vi.waitFor(() => expect([old.received(), young.received()]).toEqual(['ab', 'c']));
});

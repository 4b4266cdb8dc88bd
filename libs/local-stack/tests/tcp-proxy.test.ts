import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOST } from '../src/ports.ts';
import { startTcpProxy } from '../src/tcp-proxy.ts';
import type { TcpProxy } from '../src/tcp-proxy.ts';

let echo: Server;
let proxy: TcpProxy;
let sockets: Socket[];

beforeEach(async () => {
  echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket)).listen(0, HOST);
  await once(echo, 'listening');
  proxy = await startTcpProxy({ upstreamPort: (echo.address() as AddressInfo).port });
  sockets = [];
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await proxy.close();
  echo.close();
});

/** A connection, and what came back on it so far. */
function client() {
  const socket = connect(proxy.port, HOST);
  sockets.push(socket);
  let received = '';
  let isClosed = false;
  socket.on('data', (piece: Buffer) => (received += piece.toString()));
  socket.on('error', () => undefined);
  socket.on('close', () => (isClosed = true));
  return { socket, received: () => received, isClosed: () => isClosed };
}

test('forwards data in both directions', async () => {
  const { socket, received } = client();
  socket.write('hello');
  await expect.poll(() => received()).toBe('hello');
  expect(proxy.affected()).toBe(0);
});

test('a cut breaks open connections and new ones', async () => {
  const first = client();
  first.socket.write('hello');
  await expect.poll(() => first.received()).toBe('hello');

  proxy.set({ kind: 'cut' });
  const second = client();
  await expect.poll(() => [first.isClosed(), second.isClosed()]).toEqual([true, true]);
  expect(proxy.affected()).toBe(2);

  proxy.set({ kind: 'open' });
  const third = client();
  third.socket.write('again');
  await expect.poll(() => third.received()).toBe('again');
});

test('a stalled proxy forwards nothing, and everything once it is open again', async () => {
  const old = client();
  old.socket.write('a');
  await expect.poll(() => old.received()).toBe('a');

  proxy.set({ kind: 'stalled' });
  const young = client();
  old.socket.write('b');
  young.socket.write('c');
  await expect.poll(() => proxy.affected()).toBe(2);
  expect([old.received(), young.received()]).toEqual(['a', '']);

  proxy.set({ kind: 'open' });
  await expect.poll(() => [old.received(), young.received()]).toEqual(['ab', 'c']);
});

test.each([
  { kind: 'slow', delayMs: 5 },
  { kind: 'narrow', bytesPerSecond: 20_000 },
] as const)('a $kind proxy keeps the order, also when it is opened meanwhile', async (state) => {
  proxy.set(state);
  const { socket, received } = client();
  const pieces = Array.from({ length: 50 }, (_, number) => `${number};`.padStart(20));
  for (const [number, piece] of pieces.entries()) {
    if (number === 25) proxy.set({ kind: 'open' });
    socket.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await expect.poll(() => received()).toBe(pieces.join(''));
});

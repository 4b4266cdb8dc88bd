import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as immediate } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { expect, it } from 'vitest';
import { createRejectionPace } from '../../src/shed-load/rejection-pace.ts';

function openSocket() {
  const socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    pauses: 0,
    pause: () => {
      socket.pauses++;
    },
    resume: () => undefined,
  });
  return socket as unknown as Socket & { pauses: number };
}

function createBusyPace(rejections: number) {
  const pace = createRejectionPace({ utilization: () => 1 });
  pace.adapt(0);
  for (let n = 0; n < rejections; n++) pace.rejected(openSocket(), 0);
  pace.adapt(100);
  return pace;
}

it('a client that comes back before its time is read later, one that waits is not', async () => {
  const pace = createBusyPace(1_000);
  const [early, patient] = [openSocket(), openSocket()];
  for (const socket of [early, patient]) pace.rejected(socket, 200);
  expect([early.pauses, patient.pauses]).toEqual([0, 0]);
  pace.rejected(early, 300);
  pace.rejected(patient, 1_300);
  await immediate();
  expect([early.pauses, patient.pauses]).toEqual([1, 0]);
});

it('a connection that had a success in between is not taken for one client', async () => {
  const pace = createBusyPace(1_000);
  const shared = openSocket();
  pace.rejected(shared, 200);
  pace.acknowledged(shared);
  pace.rejected(shared, 300);
  await immediate();
  expect(shared.pauses).toBe(0);
});

it('few rejections, or a process with time to spare, pause nobody', () => {
  expect(createBusyPace(10).pauseMs).toBe(0);
  const idle = createRejectionPace({ utilization: () => 0.5 });
  idle.adapt(0);
  for (let n = 0; n < 1_000; n++) idle.rejected(openSocket(), 0);
  idle.adapt(100);
  expect(idle.pauseMs).toBe(0);
});

it('begins within 20 ms, which is 0.2 % of the requests of ten seconds', () => {
  const pace = createRejectionPace({ utilization: () => 1 });
  pace.adapt(0);
  for (let n = 0; n < 300; n++) pace.rejected(openSocket(), 10);
  pace.adapt(10);
  expect(pace.pauseMs).toBe(0);
  pace.adapt(20);
  expect(pace.pauseMs).toBeGreaterThan(0);
});

it('ends when the flood ends', () => {
  const pace = createBusyPace(1_000);
  expect(pace.pauseMs).toBeGreaterThan(0);
  for (let window = 2; window < 60; window++) pace.adapt(window * 100);
  expect(pace.pauseMs).toBe(0);
});

it('lasts while the rejections do, also when the pause leaves the process idle', () => {
  const utilization = { current: 1 };
  const pace = createRejectionPace({ utilization: () => utilization.current });
  pace.adapt(0);
  for (let window = 1; window < 100; window++) {
    for (let n = 0; n < 20; n++) pace.rejected(openSocket(), window * 100);
    if (window === 1) for (let n = 0; n < 1_000; n++) pace.rejected(openSocket(), 100);
    pace.adapt(window * 100);
    utilization.current = 0.1;
  }
  expect(pace.pauseMs).toBeGreaterThan(0);
});

it('holds a connection whose rejected body came with its headers', async () => {
  const pace = createBusyPace(1_000);
  const rejected: Promise<[ServerResponse]>[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    rejected.push(once(response, 'close').then(() => [response]));
    pace.follow({ raw: response } as unknown as FastifyReply);
    response.writeHead(429, { 'content-length': 0 }).end();
    if (rejected.length === 2) server.emit('second', request.socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const second = once(server, 'second') as Promise<[Socket]>;
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 14\r\n\r\n0123456789abcd';
  client.write(post);
  await once(client, 'data');
  client.write(post);
  const [socket] = await second;
  await Promise.all(rejected);
  for (let turn = 0; turn < 5; turn++) await immediate();
  expect(socket.isPaused()).toBe(true);
  client.destroy();
  server.close();
});

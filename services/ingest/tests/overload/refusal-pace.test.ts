import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createRefusalPace } from '../../src/shed-load/refusal-pace.ts';

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

function createBusyPace(refusals: number) {
  const pace = createRefusalPace({ utilization: () => 1 });
  pace.adapt(0);
  for (let n = 0; n < refusals; n++) pace.refused(openSocket(), 0);
  pace.adapt(100);
  return pace;
}

it('a client that comes back before its time is read later, one that waits is not', () => {
  const pace = createBusyPace(1_000);
  const [early, patient] = [openSocket(), openSocket()];
  for (const socket of [early, patient]) pace.refused(socket, 200);
  expect([early.pauses, patient.pauses]).toEqual([0, 0]);
  pace.refused(early, 300);
  pace.refused(patient, 1_300);
  expect([early.pauses, patient.pauses]).toEqual([1, 0]);
});

it('a connection that had a success in between is not taken for one client', () => {
  const pace = createBusyPace(1_000);
  const shared = openSocket();
  pace.refused(shared, 200);
  pace.acknowledged(shared);
  pace.refused(shared, 300);
  expect(shared.pauses).toBe(0);
});

it('few refusals, or a process with time to spare, pause nobody', () => {
  expect(createBusyPace(10).pauseMs).toBe(0);
  const idle = createRefusalPace({ utilization: () => 0.5 });
  idle.adapt(0);
  for (let n = 0; n < 1_000; n++) idle.refused(openSocket(), 0);
  idle.adapt(100);
  expect(idle.pauseMs).toBe(0);
});

it('ends when the flood ends', () => {
  const pace = createBusyPace(1_000);
  expect(pace.pauseMs).toBeGreaterThan(0);
  for (let window = 2; window < 60; window++) pace.adapt(window * 100);
  expect(pace.pauseMs).toBe(0);
});

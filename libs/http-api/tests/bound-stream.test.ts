import { EventEmitter } from 'node:events';
import type { FastifyReply } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { boundStream } from '../src/bound-stream.ts';

const LIMITS = { maxMs: 600_000, minBytesPerSecond: 1_000, windowMs: 10_000 };

/** A response that is being sent; `waiting` bytes of it are not taken yet. */
class Response extends EventEmitter {
  writableLength = 0;
  taken = 0;
  destroyed = false;
  get socket() {
    return { bytesWritten: this.taken + this.writableLength, writableLength: this.writableLength };
  }
  destroy() {
    this.destroyed = true;
    this.emit('close');
  }
}

let raw: Response;
let reasons: string[];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  raw = new Response();
  reasons = [];
  boundStream({ raw } as unknown as FastifyReply, LIMITS, (reason) => reasons.push(reason));
});
afterEach(() => {
  vi.useRealTimers();
});

function eachSecond(seconds: number, step: () => void): void {
  for (let second = 0; second < seconds; second += 1) {
    step();
    vi.advanceTimersByTime(1_000);
  }
}

test('a client that takes nothing is cut off after the window', () => {
  raw.writableLength = 100_000;
  vi.advanceTimersByTime(9_000);
  expect(raw.destroyed).toBe(false);
  vi.advanceTimersByTime(2_000);
  expect(raw.destroyed).toBe(true);
  expect(reasons).toEqual(['its client reads less than 1000 bytes per second']);
});

test('a client that takes a byte now and then is cut off too', () => {
  raw.writableLength = 100_000;
  eachSecond(12, () => (raw.taken += 900));
  expect(raw.destroyed).toBe(true);
});

test('a client that takes enough on average goes on, even if it pauses', () => {
  raw.writableLength = 100_000;
  eachSecond(60, () => {
    if (Math.floor(performance.now() / 1_000) % 5 === 0) raw.taken += 6_000;
  });
  expect(raw.destroyed).toBe(false);
});

test('a client that waits for the next piece goes on', () => {
  vi.advanceTimersByTime(300_000);
  expect(raw.destroyed).toBe(false);
});

test('what takes too long in all is cut off, however fast the client reads', () => {
  eachSecond(601, () => (raw.taken += 1_000_000));
  expect(raw.destroyed).toBe(true);
  expect(reasons).toEqual(['it was not sent within 600 s']);
});

test('a response that was sent is left alone', () => {
  raw.writableLength = 100_000;
  raw.emit('close');
  vi.advanceTimersByTime(20_000);
  expect(raw.destroyed).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

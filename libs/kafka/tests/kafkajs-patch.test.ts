import { createRequire } from 'node:module';
import { afterEach, expect, it, vi } from 'vitest';

const require = createRequire(import.meta.url);
const RequestQueue = require('kafkajs/src/network/requestQueue') as new (options: object) => {
  push(request: object): void;
  fulfillRequest(answer: { correlationId: number; payload: Buffer; size: number }): void;
  maybeThrottle(ms: number): void;
};

const silent = { debug() {}, info() {}, warn() {}, error() {} };

function queue() {
  return new RequestQueue({
    maxInFlightRequests: null,
    requestTimeout: 1_000,
    enforceRequestTimeout: false,
    clientId: 'test',
    broker: 'test:9092',
    logger: silent,
  });
}

function request(correlationId: number, sendRequest: () => void): object {
  const entry = { apiKey: 0, apiName: 'Produce', apiVersion: 7, correlationId, resolve() {}, reject() {} };
  return { entry, expectResponse: true, requestTimeout: null, sendRequest };
}

afterEach(() => void vi.useRealTimers());

it('leaves no timer behind when nothing waits', () => {
  vi.useFakeTimers();
  const requests = queue();

  requests.push(request(1, () => {}));
  requests.fulfillRequest({ correlationId: 1, payload: Buffer.alloc(0), size: 0 });

  expect(vi.getTimerCount()).toBe(0);
});

it('still sends what a throttle has held back', () => {
  vi.useFakeTimers();
  const requests = queue();
  const send = vi.fn();

  requests.maybeThrottle(100);
  requests.push(request(1, send));
  expect(send).not.toHaveBeenCalled();
  vi.advanceTimersByTime(150);

  expect(send).toHaveBeenCalledOnce();
});

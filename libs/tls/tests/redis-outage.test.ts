import { expect, test } from 'vitest';
import { createRedisOutage } from '../src/index.ts';

const rejected = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const hungUp = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
const ended = Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' });

test('an outage has one line, and another when an error says for the first time what to do', () => {
  const outage = createRedisOutage('rediss://redis');
  expect(outage.ready()).toBe(false);
  expect([rejected, rejected, ended, ended, rejected].map((error) => outage.failed(error))).toEqual([
    {},
    undefined,
    {},
    undefined,
    undefined,
  ]);
  expect(outage.ready()).toBe(true);
  expect(outage.ready()).toBe(false);
  expect(outage.failed(rejected)).toEqual({});
});

test('an outage that begins with an error that says what to do has one line', () => {
  const outage = createRedisOutage('rediss://redis');
  expect([ended, ended, rejected].map((error) => outage.failed(error))).toEqual([{}, undefined, undefined]);
});

test('only a Redis that was never reached may need a URL with TLS', () => {
  const outage = createRedisOutage('redis://redis');
  expect(outage.failed(hungUp)?.hint).toMatch(/rediss:\/\//);
  outage.ready();
  expect(outage.failed(hungUp)).toEqual({});
});

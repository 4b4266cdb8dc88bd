import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { createClientOf } from '../src/http/client.ts';
import { forwardedAddresses, normalizeForwardedFor } from '../src/http/forwarded-for.ts';
import { createNetworkLimit } from '../src/http/network-limit.ts';
import { networksOf } from '../src/http/networks-of.ts';

describe('X-Forwarded-For', () => {
  test.each([
    ['198.51.100.7', ['198.51.100.7']],
    ['198.51.100.7:4711', ['198.51.100.7']],
    ['[2001:db8::1]:4711', ['2001:db8::1']],
    ['[2001:db8::1]', ['2001:db8::1']],
    ['2001:db8::1, 10.0.0.1', ['2001:db8::1', '10.0.0.1']],
    ['', []],
    ['unknown', []],
    ['198.51.100.7, unknown', []],
    // Only what comes after it was certainly appended by a proxy.
    ['198.51.100.7, _hidden, 203.0.113.9:80', ['203.0.113.9']],
    ['1.2.3.4:port', []],
    ['300.1.1.1, 192.0.2.1,', ['192.0.2.1']],
  ])('%j: %j', (header, addresses) => {
    expect(forwardedAddresses(header)).toEqual(addresses);
  });

  test.each([
    [['127.0.0.1'], '198.51.100.7:4711', { address: '198.51.100.7', isCertain: true }],
    [['127.0.0.1'], '198.51.100.7, unknown', { address: '127.0.0.1', isCertain: true }],
    [['127.0.0.1'], '6.6.6.6, 198.51.100.7', { address: '198.51.100.7', isCertain: true }],
    [['192.0.2.1'], '198.51.100.7', { address: '127.0.0.1', isCertain: true }],
    [['none'], '198.51.100.7', { address: '127.0.0.1', isCertain: true }],
    [[], undefined, { address: '127.0.0.1', isCertain: true }],
    [[], 'unknown', { address: '127.0.0.1', isCertain: true }],
    [[], '6.6.6.6, 198.51.100.7:80', { address: '198.51.100.7', isCertain: false }],
  ])('with the proxies %j, %j counts for %j', async (proxies, header, client) => {
    const trustProxy = proxies.filter((proxy) => proxy !== 'none');
    const app = Fastify({ trustProxy: trustProxy.length > 0 && trustProxy });
    const clientOf = createClientOf(proxies);
    app.addHook('onRequest', normalizeForwardedFor);
    app.get('/', (request) => clientOf(request));
    const answer = await app.inject({
      url: '/',
      headers: header === undefined ? {} : { 'x-forwarded-for': header },
    });
    expect(answer.json()).toEqual(client);
  });
});

test.each([
  ['198.51.100.7', ['198.51.100.7']],
  ['::ffff:198.51.100.7', ['198.51.100.7']],
  ['2001:db8:7:12ab:1::', ['2001:db8:7:12ab::/64', '2001:db8:7:1200::/56', '2001:db8:7::/48']],
  ['2001:DB8:7::1', ['2001:db8:7:0::/64', '2001:db8:7:0::/56', '2001:db8:7::/48']],
  ['::1', ['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48']],
])('%s is counted for %j', (address, networks) => {
  expect(networksOf(address)).toEqual(networks);
});

describe('the limit by network', () => {
  const create = (options: Partial<Parameters<typeof createNetworkLimit>[0]> = {}) => {
    const time = { ms: 0 };
    return { time, limit: createNetworkLimit({ perSecond: 2, burst: 4, clock: () => time.ms, ...options }) };
  };
  const takeAll = (take: () => boolean) => {
    let taken = 0;
    while (taken < 1_000 && take()) taken++;
    return taken;
  };

  test('gives an IP address its burst, then its rate, and others theirs', () => {
    const { time, limit } = create();
    expect(takeAll(() => limit.take('192.0.2.1'))).toBe(4);
    expect(limit.take('192.0.2.2')).toBe(true);
    time.ms = 1_000;
    expect(takeAll(() => limit.take('192.0.2.1'))).toBe(2);
    time.ms = 60_000;
    expect(takeAll(() => limit.take('192.0.2.1'))).toBe(4);
  });

  test('ends at four times as much for a whole /48, however many of its 65,536 /64 are used', () => {
    const { limit } = create();
    let subnet = 0;
    expect(takeAll(() => limit.take(`2001:db8:7:${(subnet++).toString(16)}::1`))).toBe(8);
    expect(takeAll(() => limit.take(`2001:db8:7:${(subnet += 256).toString(16)}::1`))).toBe(8);
    expect(limit.take('2001:db8:8::1')).toBe(true);
  });

  test('forgets those first who have not come for the longest time', () => {
    const { limit } = create({ maxNetworks: 2 });
    expect(takeAll(() => limit.take('192.0.2.1'))).toBe(4);
    limit.take('192.0.2.2');
    limit.take('192.0.2.3');
    expect(limit.take('192.0.2.2')).toBe(true);
    expect(takeAll(() => limit.take('192.0.2.1'))).toBe(4);
  });
});

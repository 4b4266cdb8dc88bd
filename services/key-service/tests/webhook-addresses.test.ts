import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAddressPolicy } from '../src/alerts/deliver/webhook/address-policy.ts';
import { postWebhook } from '../src/alerts/deliver/webhook/post-webhook.ts';
import { resolveTarget } from '../src/alerts/deliver/webhook/resolve-target.ts';
import { readWebhookUrl } from '../src/alerts/destinations/read-webhook-url.ts';

const strict = createAddressPolicy([]);
const lenient = createAddressPolicy(['10.20.0.0/16', '127.0.0.1', 'fd00:1::/64']);

describe('IP addresses that webhooks may connect to', () => {
  test.each([
    ['93.184.215.14', true],
    ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', true],
    ['127.0.0.1', false],
    ['127.9.9.9', false],
    ['0.0.0.0', false],
    ['10.0.0.1', false],
    ['172.16.0.1', false],
    ['172.31.255.255', false],
    ['192.168.1.1', false],
    ['169.254.169.254', false],
    ['100.64.0.1', false],
    ['192.0.2.1', false],
    ['198.18.0.1', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['::1', false],
    ['::', false],
    ['fe80::1', false],
    ['fc00::1', false],
    ['fd00:ec2::254', false],
    ['ff02::1', false],
    ['::ffff:127.0.0.1', false],
    ['::ffff:169.254.169.254', false],
    ['::ffff:93.184.215.14', true],
    ['64:ff9b::a9fe:a9fe', false],
    ['2002:7f00:1::', false],
    ['2001:0:7f00:1::', false],
    ['not an address', false],
  ])('%s by default: %s', (address, isAllowed) => {
    expect(strict.isAllowed(address)).toBe(isAllowed);
    expect(strict.isNamed(address)).toBe(false);
  });

  test.each([
    ['10.20.3.4', true],
    ['10.21.0.1', false],
    ['127.0.0.1', true],
    ['127.0.0.2', false],
    ['::ffff:10.20.3.4', true],
    ['fd00:1::5', true],
    ['fd00:2::5', false],
    ['169.254.169.254', false],
  ])('%s with named networks: %s', (address, isAllowed) => {
    expect(lenient.isAllowed(address)).toBe(isAllowed);
  });
});

describe('the host of a webhook', () => {
  const answers =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

  test.each([
    ['a public one', 'https://a.example', ['93.184.215.14'], undefined],
    ['a private one', 'https://a.example', ['10.0.0.1'], 'not public'],
    ['a public and a private one', 'https://a.example', ['93.184.215.14', '10.21.0.1'], 'not public'],
    ['none', 'https://a.example', [], 'no IP address'],
    ['a public one without TLS', 'http://a.example', ['93.184.215.14'], 'need https'],
    ['a named one without TLS', 'http://a.example', ['10.20.0.1'], undefined],
  ])('resolves to %s', async (_what, url, addresses, problem) => {
    const resolved = resolveTarget(new URL(url), lenient, answers(...addresses));
    if (problem === undefined)
      expect(await resolved).toMatchObject(addresses.map((address) => ({ address })));
    else await expect(resolved).rejects.toThrow(problem);
  });

  // The URL parser writes all of these as 127.0.0.1 or as [::ffff:7f00:1].
  test.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
  ])('%s is this machine, however it is written', async (host) => {
    await expect(resolveTarget(new URL(`https://${host}/`), strict)).rejects.toThrow('not public');
  });
});

describe('the URL of a webhook', () => {
  test.each([
    ['nothing', 'must be a URL'],
    ['ftp://a.example', 'must begin with https'],
    ['file:///etc/passwd', 'must begin with https'],
    ['https://user@a.example', 'user name'],
    ['https://user:pw@a.example', 'user name'],
  ])('%s is rejected', (url, problem) => {
    expect(() => readWebhookUrl(url)).toThrow(problem);
  });

  test('loses its fragment only', () => {
    expect(readWebhookUrl('https://a.example/x?y=1#z')).toBe('https://a.example/x?y=1');
  });
});

describe('a webhook is posted', () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.headers.host} ${request.url}`);
    const behaviours: Record<string, () => void> = {
      '/ok': () => response.writeHead(204).end(),
      '/moved': () => response.writeHead(302, { location: '/ok' }).end(),
      '/broken': () => response.writeHead(500).end('secrets of the receiver'),
      '/large': () => response.end(Buffer.alloc(10_000_000)),
      '/headers': () => response.writeHead(200, { 'x-large': 'x'.repeat(8_000) }).end(),
      '/cut': () => response.destroy(),
    };
    behaviours[request.url ?? '']?.();
  });
  let port = 0;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const post = (path: string, host = 'receiver.invalid') =>
    postWebhook({
      url: new URL(`http://${host}:${port}${path}`),
      addresses: [{ address: '127.0.0.1', family: 4 }],
      headers: {},
      body: '{}',
    });

  test('to the resolved IP address, and the name is not resolved again', async () => {
    await post('/ok');
    expect(requests.at(-1)).toBe(`receiver.invalid:${port} /ok`);
  });

  test.each([
    ['/moved', 'HTTP 302. Redirects are not followed.'],
    ['/broken', 'HTTP 500'],
    ['/headers', 'The headers of the response were too large'],
    ['/cut', 'closed the connection'],
  ])('%s: %s', async (path, problem) => {
    const before = requests.length;
    await expect(post(path)).rejects.toThrow(problem);
    expect(requests.slice(before)).toEqual([`receiver.invalid:${port} ${path}`]);
  });

  test('and a large response is not read', async () => {
    await post('/large');
  });
});

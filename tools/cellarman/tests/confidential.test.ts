import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { readSettings } from '../src/config.ts';
import { runCellarman } from './run-cellarman.ts';

const API_KEY = 'cm_hJNeJ0Fh3h4nRTaKpH0kOli4UrVJYx11Mam2';
const READING = ['send', '{"cellar":"c","rack":"r","keg":"k","value":1}', '--give-up-after', '1'];

describe('a secret', () => {
  const addresses = (url: string, more: Record<string, string> = {}) => {
    const env = { CELLARMAN_URL: url, CELLARMAN_INGEST_URL: url, CELLARMAN_QUERY_URL: url, ...more };
    const settings = readSettings(env, '/nowhere');
    return [() => settings.keyServiceUrl(), () => settings.ingestUrl(), () => settings.queryUrl()];
  };

  test.each([
    'http://cellarman.example.com',
    'http://10.0.0.7:4000',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
  ])('is not sent in plain text to %s, unless it is allowed', (url) => {
    for (const address of addresses(url)) expect(address).toThrow('only over https or to this machine');
    for (const address of addresses(url, { CELLARMAN_ALLOW_HTTP: 'true' })) expect(address()).toBe(url);
  });

  test.each([
    'https://cellarman.example.com',
    'http://127.0.0.1:4100',
    'http://localhost:4100',
    'http://[::1]:4100',
  ])('is sent to %s', (url) => {
    for (const address of addresses(url)) expect(address()).toBe(url);
  });

  test('does not follow a redirect to another origin', async () => {
    const received: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      received.push(request.url);
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const at = (server: typeof other): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const redirecting = createServer((request, response) => {
      request.resume();
      response.writeHead(307, { location: `${at(other)}${request.url ?? ''}` }).end();
    }).listen(0, '127.0.0.1');
    await once(redirecting, 'listening');

    const url = at(redirecting);
    const env = {
      CELLARMAN_URL: url,
      CELLARMAN_INGEST_URL: url,
      CELLARMAN_QUERY_URL: url,
      CELLARMAN_API_KEY: API_KEY,
      CELLARMAN_TOKEN: 'cmt_x',
    };
    const runs = await Promise.all([
      runCellarman(READING, env),
      runCellarman(['latest', 'c'], env),
      runCellarman(['cellars', 'create', 'c'], env),
    ]);

    expect(runs.map(({ code }) => code)).not.toContain(0);
    for (const { stderr } of runs) expect(stderr).toContain('redirect');
    expect(received).toEqual([]);
    for (const server of [other, redirecting]) server.close();
  });
});

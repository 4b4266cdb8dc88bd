import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setDefaultCACertificates } from 'node:tls';
import { createClient } from '@clickhouse/client';
import { clickhouseLogin, unusedPorts } from '@cellarman/local-stack';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { mountSecret } from '../../libs/tls/tests/mounted-secret.ts';
import { createTestAuthority } from '../../libs/tls/tests/test-authority.ts';
import { startEncryptedEngines } from './engines.ts';
import type { EncryptedEngines } from './engines.ts';
import { ADMIN, environments } from './environments.ts';
import { migrateStorage, startService } from './service.ts';
import type { Environment, Service, ServiceName } from './service.ts';

/* Every connection of the product encrypted and verified on both sides, with engines that take nothing else. */

let engines: EncryptedEngines;
let given: Record<ServiceName, Environment>;
let keyService: Service;
let query: Service;
let sink: Service;
let ingest: Service;
let operationsUrl: string;
const services: Service[] = [];

async function start(name: ServiceName, change: Environment = {}): Promise<Service> {
  const service = await startService(name, { ...given[name], ...change });
  services.push(service);
  return service;
}

beforeAll(async () => {
  engines = await startEncryptedEngines(inject('engines'));
  setDefaultCACertificates([engines.authority.certificate]);
  const [queryPort = 0, keyServicePort = 0, internalPort = 0, operationsPort = 0] = await unusedPorts(4);
  given = environments(engines, `https://localhost:${internalPort}`);
  operationsUrl = `https://localhost:${operationsPort}`;
  [keyService] = await Promise.all([
    start('key-service', {
      PORT: String(keyServicePort),
      INTERNAL_PORT: String(internalPort),
      QUERY_URL: `https://localhost:${queryPort}`,
    }),
    migrateStorage(given.sink),
  ]);
  [query, sink, ingest] = await Promise.all([
    start('query', { PORT: String(queryPort) }),
    start('sink'),
    start('ingest', { OPERATIONS_PORT: String(operationsPort) }),
  ]);
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  const clickhouse = createClient(clickhouseLogin(inject('engines')));
  await clickhouse.command({ query: `DROP DATABASE IF EXISTS ${engines.clickhouse.CLICKHOUSE_DATABASE}` });
  await clickhouse.close();
  await engines.stop();
});

describe('the product, with every connection encrypted', () => {
  test('takes a reading and gives it back', async () => {
    for (const service of [keyService, query, sink, { ...ingest, url: operationsUrl }]) {
      await expect.poll(() => notReady(service), { timeout: 60_000, interval: 50 }).toEqual([]);
    }
    const { url, cookie } = await signIn();
    const manage = async (path: string, body: object) => {
      const answer = await post(url + path, body, { cookie });
      expect(answer.status).toBe(201);
      return (await answer.json()) as { secret: string };
    };
    await manage('/api/v1/cellars', { name: 'encrypted' });
    const { secret: apiKey } = await manage('/api/v1/cellars/encrypted/keys', { name: 'device' });

    const timestamp = new Date().toISOString();
    const reading = { cellar: 'encrypted', rack: 'r', keg: 'k', value: 11.4, timestamp };
    const answer = await post(`${ingest.url}/api/v1/ingest`, reading, { 'x-api-key': apiKey });
    expect(answer.status, await answer.text()).toBe(200);
    // Through key-service, which calls query.
    const latest = () =>
      fetch(`${url}/api/v1/query/cellars/encrypted/latest`, { headers: { cookie } }).then((found) =>
        found.text(),
      );
    await expect.poll(latest, { timeout: 60_000, interval: 50 }).toContain('11.4');
    // Whatever else takes its time at a start, nobody doubts a certificate.
    expect(services.flatMap((service) => service.log()).filter((line) => /certificate/.test(line))).toEqual(
      [],
    );
  });

  test('browsers keep to HTTPS, and the session to this host', async () => {
    const { headers } = await signIn();
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(headers.get('set-cookie')).toMatch(/^__Host-cellarman-session=.*Secure/);
  });

  test('reports the expiry of its certificates to Prometheus', async () => {
    const text = await fetch(`${operationsUrl}/metrics`).then((answer) => answer.text());
    const found = [...text.matchAll(/^cellarman_certificate_expiry_\w+\{certificate="(\w+)".*\} (\S+)$/gm)];
    expect(found.map(([, certificate]) => certificate).sort()).toEqual(['kafka', 'redis', 'server']);
    const { validTo } = new X509Certificate(await readFile(engines.secret.certFile));
    for (const [, , seconds] of found) expect(Number(seconds) * 1_000).toBe(Date.parse(validTo));
  });
});

describe('what is not right', () => {
  /** What a service logs about the part, once it does. */
  async function expectHint(service: Service, part: RegExp, hint: RegExp): Promise<void> {
    const isTold = () => service.log().some((line) => part.test(line) && hint.test(line));
    await expect
      .poll(() => (isTold() ? 'told' : service.log()), { timeout: 60_000, interval: 20 })
      .toBe('told');
  }

  const CLIENTS = {
    ingest: [/kafkajs/, /key-service is unreachable/, /could not connect to Redis/],
    query: [/ClickHouse cannot be queried/],
    'key-service': [/could not start/],
  } as const;

  async function expectHints(
    hint: RegExp,
    changes: Record<keyof typeof CLIENTS, Environment>,
  ): Promise<void> {
    await Promise.all(
      (['ingest', 'query', 'key-service'] as const).map(async (name) => {
        const service = await start(name, changes[name]);
        for (const part of CLIENTS[name]) await expectHint(service, part, hint);
        await service.stop();
      }),
    );
  }

  test('a wrong authority is reported by each client, with what to do', async () => {
    const wrong = await mountSecret();
    const { certificate } = await createTestAuthority('a stranger');
    await wrong.write({ authorities: certificate });
    const change = { NODE_EXTRA_CA_CERTS: wrong.authoritiesFile };
    await expectHints(/add that authority to the file in NODE_EXTRA_CA_CERTS/, {
      ...{ ingest: change, query: change, 'key-service': change },
    });
    await wrong.remove();
  });

  test('so is a certificate for another name', async () => {
    // Kafka's is for both.
    const { REDIS_URL = '', KEY_SERVICE_URL = '' } = given.ingest;
    const service = await start('ingest', {
      REDIS_URL: REDIS_URL.replace('localhost', '127.0.0.1'),
      KEY_SERVICE_URL: KEY_SERVICE_URL.replace('localhost', '127.0.0.1'),
    });
    const hint = /use one of them in the URL/;
    await expectHint(service, /could not connect to Redis/, hint);
    await expectHint(service, /key-service is unreachable/, hint);
    await service.stop();
  });

  test('and plain text to a port of TLS', async () => {
    const { KEY_SERVICE_URL = '', REDIS_URL = '' } = given.ingest;
    const none = {
      KAFKA_TLS_CERT_FILE: '',
      KAFKA_TLS_KEY_FILE: '',
      REDIS_TLS_CERT_FILE: '',
      REDIS_TLS_KEY_FILE: '',
    };
    const service = await start('ingest', {
      ...none,
      KAFKA_TLS: 'false',
      KEY_SERVICE_URL: KEY_SERVICE_URL.replace('https:', 'http:'),
      REDIS_URL: REDIS_URL.replace('rediss:', 'redis:'),
    });
    await expectHint(service, /kafkajs/, /KAFKA_TLS=true/);
    await expectHint(service, /could not connect to Redis/, /rediss:/);
    await expectHint(keyService, /plain HTTP/, /its URL needs https/);
    await service.stop();
  });

  test('a file of authorities that is not there ends the start', async () => {
    const service = await start('query', { NODE_EXTRA_CA_CERTS: '/nowhere/ca.crt' });
    await expectHint(service, /NODE_EXTRA_CA_CERTS cannot be used/, /nowhere\/ca\.crt cannot be read/);
    await expect.poll(() => service.isRunning()).toBe(false);
  });
});

test('all of it ends in order, with connections open', async () => {
  const running = [ingest, sink, query, keyService];
  expect(await Promise.all(running.map((service) => service.stop()))).toEqual([0, 0, 0, 0]);
});

async function signIn(): Promise<{ url: string; cookie: string; headers: Headers }> {
  const { url } = keyService;
  const answer = await post(`${url}/api/v1/session`, ADMIN);
  expect(answer.status, await answer.text()).toBe(201);
  return { url, headers: answer.headers, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}

function post(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** What a service has logged while it is not ready, and nothing when it is. */
async function notReady(service: Service): Promise<string[]> {
  try {
    const answer = await fetch(`${service.url}/readyz`);
    return answer.status === 200 ? [] : [await answer.text(), ...service.log()];
  } catch (error) {
    return [String((error as Error).cause), ...service.log()];
  }
}

import { expect } from 'vitest';
import { ADMIN } from './harness.ts';

export interface Product {
  ingest: { url: string };
  keyService: { url: string };
  query: { url: string };
}

interface Key {
  id: string;
  secret: string;
}

/** What a user and a device do in a day, through the public URLs. Every response is checked against its OpenAPI document. */
export async function work(product: Product, cellar: string): Promise<Key> {
  const admin = await signIn(product);
  await admin('POST', '/api/v1/cellars', { name: cellar, retentionDays: 30 }, 201);
  await admin('PATCH', `/api/v1/cellars/${cellar}`, { retentionDays: 60 }, 200);
  const first = await createKey(admin, cellar, 'first');
  const kept = await createKey(admin, cellar, 'kept');

  await send(product, first, cellar, 'first', 1.5);
  await send(product, kept, cellar, 'kept', 2.5);
  const rotated = await admin<{ key: { id: string }; secret: string }>(
    'POST',
    `/api/v1/cellars/${cellar}/keys/${first.id}/rotate`,
    { overlapSeconds: 0 },
    201,
  );
  await send(product, rotated, cellar, 'rotated', 3.5);
  await admin('POST', `/api/v1/cellars/${cellar}/keys/${rotated.key.id}/revoke`, undefined, 200);
  await expectRejected(product, rotated.secret, cellar);

  await expect
    .poll(() => racksOf(product, kept, cellar), { timeout: 60_000, interval: 50 })
    .toEqual(['first', 'kept', 'rotated']);
  const { entries } = await admin<{ entries: { action: string }[] }>(
    'GET',
    `/api/v1/cellars/${cellar}/audit`,
    undefined,
    200,
  );
  expect(entries.length).toBeGreaterThanOrEqual(6);
  return kept;
}

/** Through ingest until Kafka has it. */
async function send(
  { ingest }: Pick<Product, 'ingest'>,
  { secret }: Pick<Key, 'secret'>,
  cellar: string,
  rack: string,
  value: number,
): Promise<void> {
  const answer = await post(ingest.url, secret, { cellar, rack, keg: 'k', value, timestamp: now() });
  expect(answer.status, await answer.text()).toBe(200);
}

/** The racks that have sent something, as the key sees them. */
export async function racksOf(
  { query }: Product,
  { secret }: Pick<Key, 'secret'>,
  cellar: string,
): Promise<string[]> {
  const answer = await fetch(`${query.url}/api/v1/query/cellars/${cellar}/latest`, {
    headers: { 'x-api-key': secret },
  });
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  const { series } = JSON.parse(text) as { series: { rack: string }[] };
  return series.map(({ rack }) => rack).sort();
}

async function expectRejected({ ingest }: Product, secret: string, cellar: string): Promise<void> {
  const ask = async (): Promise<number> => {
    const answer = await post(ingest.url, secret, { cellar });
    await answer.arrayBuffer();
    return answer.status;
  };
  await expect.poll(ask, { timeout: 60_000, interval: 20 }).toBe(401);
}

export function post(ingestUrl: string, secret: string, reading: object, path = ''): Promise<Response> {
  return fetch(`${ingestUrl}/api/v1/ingest${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': secret },
    body: JSON.stringify(reading),
  });
}

export const now = (): string => new Date().toISOString();

type Admin = <Body>(method: string, path: string, body: object | undefined, status: number) => Promise<Body>;

async function signIn({ keyService }: Product): Promise<Admin> {
  let cookie = '';
  const call: Admin = async <Body>(
    method: string,
    path: string,
    body: object | undefined,
    status: number,
  ) => {
    const answer = await fetch(`${keyService.url}${path}`, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect(answer.status, `${method} ${path}: ${text}`).toBe(status);
    cookie ||= answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    return JSON.parse(text) as Body;
  };
  await call('POST', '/api/v1/session', ADMIN, 201);
  return call;
}

async function createKey(admin: Admin, cellar: string, name: string): Promise<Key> {
  const { key, secret } = await admin<{ key: { id: string }; secret: string }>(
    'POST',
    `/api/v1/cellars/${cellar}/keys`,
    { name, scopes: ['ingest', 'read'] },
    201,
  );
  return { id: key.id, secret };
}

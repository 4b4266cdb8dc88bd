import { generateClaimCode, hashApiKey, hasApiKeyFormat } from '@cellarman/api-key';
import { LOOKUP_PATH } from '@cellarman/contracts';
import type { LookupResponse } from '@cellarman/contracts';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClaimCodeView } from '../src/claims/claim-code-schema.ts';
import type { KeyView } from '../src/keys/key-schema.ts';
import { makeCellar, makeKey } from './made.ts';
import { startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startServiceUnderTest();
});
afterAll(() => service.stop());

interface Claimed {
  apiKey: string;
  keyId: string;
  cellar: string;
  rack: string;
  code?: string;
  error?: string;
}

const newSecret = () => randomBytes(32).toString('base64url');
const inADay = () => new Date(Date.now() + 86_400_000).toISOString();

async function makeCode(cellar: string, fields: object = {}) {
  const { status, body } = await service.admin.call<{ claimCode: ClaimCodeView; secret: string }>(
    'POST',
    `/api/v1/cellars/${cellar}/claim-codes`,
    { name: 'sensors', maxKeys: 5, expiresAt: inADay(), ...fields },
  );
  expect(status).toBe(201);
  return { ...body.claimCode, secret: body.secret };
}

/** As a device does it: again while key-service is busy. */
async function claim(claimCode: string, rack: string, deviceSecret = newSecret(), address = '192.0.2.1') {
  for (;;) {
    const answer = await service.anonymous.call<Claimed>(
      'POST',
      '/api/v1/claims',
      { claimCode, rack, deviceSecret },
      { 'x-forwarded-for': address },
    );
    if (answer.status !== 503) return answer;
    await delay(1_000 * (0.5 + Math.random()));
  }
}

const getKey = async (cellar: string, id: string) =>
  (await service.admin.call<KeyView>('GET', `/api/v1/cellars/${cellar}/keys/${id}`)).body;

const listCodes = async (cellar: string) =>
  (await service.admin.call<{ claimCodes: ClaimCodeView[] }>('GET', `/api/v1/cellars/${cellar}/claim-codes`))
    .body.claimCodes;

const revoke = (cellar: string, id: string, body: object = {}) =>
  service.admin.call<{ claimCode: ClaimCodeView; revokedKeys: number }>(
    'POST',
    `/api/v1/cellars/${cellar}/claim-codes/${id}/revoke`,
    body,
  );

async function entriesOf(cellar: string) {
  const { body } = await service.admin.call<{ entries: { action: string; actor: string; keyId: string }[] }>(
    'GET',
    `/api/v1/cellars/${cellar}/audit`,
  );
  return body.entries.map(({ action, actor, keyId }) => ({ action, actor, keyId }));
}

/** Whether the key is revoked, as ingest looks it up. */
async function isRevoked(apiKey: string) {
  const { body } = await service.internal<LookupResponse>('POST', LOOKUP_PATH, {
    hashes: [hashApiKey(apiKey)],
  });
  const key = body.answers[0]?.key;
  expect(key).toMatchObject({ hash: hashApiKey(apiKey) });
  return key?.revokedAt !== null;
}

describe('a claim', () => {
  test('exchanges the code for a key of the rack, with the settings of the code', async () => {
    const { name: cellar } = await makeCellar(service);
    const rateLimit = { perSecond: 7, burst: 9 };
    const code = await makeCode(cellar, { rackPrefix: 'north-', rateLimit });
    const { status, body } = await claim(code.secret, 'north-1');
    expect(status).toBe(201);
    expect(hasApiKeyFormat(body.apiKey)).toBe(true);
    expect(body).toMatchObject({ cellar, rack: 'north-1' });
    expect(await getKey(cellar, body.keyId)).toMatchObject({
      ...{
        name: 'north-1',
        rack: 'north-1',
        rackPrefix: null,
        scopes: ['ingest'],
        rateLimit,
        expiresAt: null,
      },
      ...{ state: 'active', claimCode: { id: code.id, name: 'sensors' }, createdBy: code.createdBy },
    });
    expect(await listCodes(cellar)).toMatchObject([{ claimedKeys: 1, activeKeys: 1, state: 'active' }]);
    expect(await entriesOf(cellar)).toMatchObject([
      { action: 'key.claimed', actor: `claim code ${code.displayPrefix}`, keyId: body.keyId },
      { action: 'claim_code.created' },
      { action: 'cellar.created' },
    ]);
  });

  test('that is repeated by the same device returns the same key, counts once and is audited once', async () => {
    const { name: cellar } = await makeCellar(service);
    const code = await makeCode(cellar, { maxKeys: 1 });
    const secret = newSecret();
    const first = await claim(code.secret, 'a', secret);
    const again = await Promise.all([1, 2, 3].map(() => claim(code.secret, 'a', secret)));
    expect(again.map(({ status, body }) => [status, body.apiKey])).toEqual(
      again.map(() => [200, first.body.apiKey]),
    );
    expect(await listCodes(cellar)).toMatchObject([{ claimedKeys: 1, state: 'used_up' }]);
    const entries = await entriesOf(cellar);
    expect(entries.filter(({ action }) => action === 'key.claimed')).toHaveLength(1);
  });

  test('for a rack that has an active key is rejected, also if a person made that key', async () => {
    const { name: cellar } = await makeCellar(service);
    const code = await makeCode(cellar);
    await claim(code.secret, 'a');
    await makeKey(service, cellar, { rack: 'b' });
    for (const rack of ['a', 'b'])
      expect(await claim(code.secret, rack)).toMatchObject({ status: 409, body: { code: 'rack_claimed' } });
    expect(await listCodes(cellar)).toMatchObject([{ claimedKeys: 1 }]);
  });

  test('of a device whose key was revoked is rejected; a new device gets a key for that rack', async () => {
    const { name: cellar } = await makeCellar(service);
    const code = await makeCode(cellar);
    const secret = newSecret();
    const first = await claim(code.secret, 'a', secret);
    await service.admin.call('POST', `/api/v1/cellars/${cellar}/keys/${first.body.keyId}/revoke`);
    expect(await claim(code.secret, 'a', secret)).toMatchObject({
      status: 409,
      body: { code: 'rack_claimed' },
    });
    const second = await claim(code.secret, 'a');
    expect(second.status).toBe(201);
    expect(second.body.apiKey).not.toBe(first.body.apiKey);
    expect(await listCodes(cellar)).toMatchObject([{ claimedKeys: 2, activeKeys: 1 }]);
  });

  test.each([
    ['with another rack prefix', 'south-1', 403, 'rack_mismatch'],
    ['with part of the prefix', 'north', 403, 'rack_mismatch'],
  ])('%s is rejected', async (_, rack, status, code) => {
    const { name: cellar } = await makeCellar(service);
    const { secret } = await makeCode(cellar, { rackPrefix: 'north-' });
    expect(await claim(secret, rack)).toMatchObject({ status, body: { code } });
  });

  test('with an unknown, revoked, mistyped or archived code gets one response', async () => {
    const { name: cellar } = await makeCellar(service);
    const { name: archived } = await makeCellar(service);
    const [revoked, code, gone] = [await makeCode(cellar), await makeCode(cellar), await makeCode(archived)];
    await revoke(cellar, revoked.id);
    await service.admin.call('POST', `/api/v1/cellars/${archived}/archive`);
    const mistyped = code.secret.slice(0, -1) + (code.secret.endsWith('0') ? '1' : '0');
    const unknown = generateClaimCode();
    const answers = await Promise.all(
      [unknown, 'x', mistyped, revoked.secret, gone.secret].map((secret) => claim(secret, 'a')),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 401, body: { code: 'invalid_claim_code' } });
  });

  test('after the expiry is rejected, but a device that claimed before gets its key again', async () => {
    const { name: cellar } = await makeCellar(service);
    const code = await makeCode(cellar);
    const secret = newSecret();
    const first = await claim(code.secret, 'a', secret);
    await service.pool.query(`UPDATE claim_codes SET expires_at = now() WHERE id = $1`, [code.id]);
    expect(await claim(code.secret, 'b')).toMatchObject({
      status: 401,
      body: { code: 'invalid_claim_code' },
    });
    expect(await claim(code.secret, 'a', secret)).toMatchObject({ status: 200, body: first.body });
    expect(await listCodes(cellar)).toMatchObject([{ state: 'expired' }]);
  });

  test('with a code for gateways gives a key for all racks that begin with the name', async () => {
    const { name: cellar } = await makeCellar(service);
    const code = await makeCode(cellar, { forGateways: true });
    const secret = newSecret();
    const { body } = await claim(code.secret, 'hall-1/', secret);
    expect(await getKey(cellar, body.keyId)).toMatchObject({ rack: null, rackPrefix: 'hall-1/' });
    expect(await claim(code.secret, 'hall-1/', secret)).toMatchObject({ status: 200, body });
    expect(await claim(code.secret, 'hall-1/')).toMatchObject({ status: 409 });
  });

  test('of 200 devices for 50 keys at the same time: exactly 50 get one, each for its own rack', async () => {
    const { name: cellar } = await makeCellar(service);
    const code = await makeCode(cellar, { maxKeys: 50 });
    const devices = Array.from({ length: 200 }, (_, i) => ({ rack: `rack-${i}`, secret: newSecret() }));
    const answers = await Promise.all(
      devices.map(async ({ rack, secret }, i) => {
        for (;;) {
          const answer = await claim(code.secret, rack, secret, `198.51.100.${i}`);
          if (answer.status !== 429) return answer;
          await delay(Number(answer.headers.get('retry-after')) * 1_000 * (0.5 + Math.random()));
        }
      }),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(50);
    expect(new Set(made.map(({ body }) => body.apiKey)).size).toBe(50);
    expect(
      answers.filter(({ status, body }) => status === 403 && body.code === 'claim_code_used_up'),
    ).toHaveLength(150);
    const { rows } = await service.pool.query(
      `SELECT count(*)::int AS keys, count(DISTINCT rack)::int AS racks FROM api_keys WHERE claim_code_id = $1`,
      [code.id],
    );
    expect(rows).toEqual([{ keys: 50, racks: 50 }]);
  });

  test('of 20 devices with one rack name at the same time: one gets a key', async () => {
    const { name: cellar } = await makeCellar(service);
    const code = await makeCode(cellar, { maxKeys: 20 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => claim(code.secret, 'a')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(19).fill(409)]);
  });

  test('stores neither code, key nor device secret, and logs none of them', async () => {
    const { name: cellar } = await makeCellar(service);
    const code = await makeCode(cellar);
    const secret = newSecret();
    const { body } = await claim(code.secret, 'a', secret);
    const { rows } = await service.pool.query(
      `SELECT (SELECT string_agg(claim_codes::text, '') FROM claim_codes) AS codes,
              (SELECT string_agg(api_keys::text, '') FROM api_keys) AS keys,
              (SELECT string_agg(audit::text, '') FROM audit) AS audit`,
    );
    const stored = JSON.stringify(rows) + service.log.join('');
    for (const text of [code.secret, body.apiKey, secret]) {
      expect(stored).not.toContain(text);
      expect(stored).not.toContain(Buffer.from(text).toString('hex'));
    }
  });
});

describe('revoking a claim code', () => {
  test('ends further claims, and leaves the keys', async () => {
    const { name: cellar } = await makeCellar(service);
    const code = await makeCode(cellar);
    const secret = newSecret();
    const { body } = await claim(code.secret, 'a', secret);
    expect(await revoke(cellar, code.id)).toMatchObject({
      status: 200,
      body: { revokedKeys: 0, claimCode: { state: 'revoked', activeKeys: 1 } },
    });
    expect(await claim(code.secret, 'a', secret)).toMatchObject({ status: 401 });
    expect(await isRevoked(body.apiKey)).toBe(false);
  });

  test('with its keys revokes these and the keys that replaced them, with one audit entry, and can be repeated', async () => {
    const { name: cellar } = await makeCellar(service);
    const [code, other] = [await makeCode(cellar), await makeCode(cellar)];
    const [a, b] = [(await claim(code.secret, 'a')).body, (await claim(code.secret, 'b')).body];
    const c = (await claim(other.secret, 'c')).body;
    const rotated = await service.admin.call<{ key: KeyView; secret: string }>(
      'POST',
      `/api/v1/cellars/${cellar}/keys/${b.keyId}/rotate`,
      { overlapSeconds: 0 },
    );
    expect(rotated.body.key.claimCode).toEqual({ id: code.id, name: 'sensors' });
    await revoke(cellar, code.id);
    expect(await revoke(cellar, code.id, { revokeKeys: true })).toMatchObject({
      body: { revokedKeys: 2, claimCode: { activeKeys: 0 } },
    });
    expect(await revoke(cellar, code.id, { revokeKeys: true })).toMatchObject({ body: { revokedKeys: 0 } });
    for (const apiKey of [a.apiKey, rotated.body.secret]) expect(await isRevoked(apiKey)).toBe(true);
    expect(await isRevoked(c.apiKey)).toBe(false);
    const entries = await entriesOf(cellar);
    expect(entries.filter(({ action }) => action === 'claim_code.revoked')).toHaveLength(2);
  });

  test('of another cellar is not found', async () => {
    const [mine, other] = [await makeCellar(service), await makeCellar(service)];
    const code = await makeCode(mine.name);
    expect(await revoke(other.name, code.id)).toMatchObject({ status: 404 });
  });
});

test.each([
  ['no keys', { maxKeys: 0 }],
  ['too many keys', { maxKeys: 10_001 }],
  ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }],
  ['an expiry in two years', { expiresAt: new Date(Date.now() + 2 * 366 * 86_400_000).toISOString() }],
])('a claim code with %s is rejected', async (_, fields) => {
  const { name: cellar } = await makeCellar(service);
  const answer = await service.admin.call('POST', `/api/v1/cellars/${cellar}/claim-codes`, {
    ...{ name: 'sensors', maxKeys: 5, expiresAt: inADay() },
    ...fields,
  });
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
});

test('claims beyond the rate of a network or of a code are rejected with Retry-After', async () => {
  const { name: cellar } = await makeCellar(service);
  const code = await makeCode(cellar, { maxKeys: 1 });
  const secret = newSecret();
  await claim(code.secret, 'a', secret);
  const flood = (addressOf: (i: number) => string, claimCode: string) =>
    Promise.all(Array.from({ length: 300 }, (_, i) => claim(claimCode, 'a', secret, addressOf(i))));
  const ofNetwork = await flood(() => '203.0.113.9', 'x');
  expect(ofNetwork.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  const ofCode = await flood((i) => `2001:db8:${i}::1`, code.secret);
  const limited = ofCode.filter(({ status }) => status === 429);
  expect(limited.length).toBeGreaterThan(0);
  expect(limited[0]?.headers.get('retry-after')).toBe('1');
});

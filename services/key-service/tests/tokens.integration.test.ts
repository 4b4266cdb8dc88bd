import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createApiClient } from './api-client.ts';
import type { ApiClient } from './api-client.ts';
import { makeCellar, newName } from './made.ts';
import { ADMIN, startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';
import type { TokenView } from '../src/tokens/token-schema.ts';

const TOKENS = '/api/v1/tokens';

let service: ServiceUnderTest;
let cellar: string;
let foreign: string;
beforeAll(async () => {
  service = await startServiceUnderTest();
  cellar = (await makeCellar(service)).name;
  foreign = (await makeCellar(service)).name;
});
afterAll(() => service.stop());

async function makeToken(fields: object): Promise<{ token: TokenView; secret: string }> {
  const answer = await service.admin.call<{ token: TokenView; secret: string }>('POST', TOKENS, {
    name: 'nightly',
    ...fields,
  });
  expect(answer.status).toBe(201);
  return answer.body;
}

/** As a script would: with the token and nothing else. */
const script =
  (secret: string) =>
  (method: string, path: string, body?: unknown, headers: object = {}) =>
    service.anonymous.call<{ code?: string }>(method, path, body, {
      authorization: `Bearer ${secret}`,
      ...headers,
    });

async function listed(id: string): Promise<TokenView | undefined> {
  const { body } = await service.admin.call<{ tokens: TokenView[] }>('GET', `${TOKENS}?limit=200`);
  return body.tokens.find((token) => token.id === id);
}

describe('a service token', () => {
  test('is shown once, and in the list by its first characters', async () => {
    const { token, secret } = await makeToken({ role: 'member', cellars: [cellar] });
    expect(secret).toMatch(/^cmt_[\w-]{43}$/);
    expect(secret.startsWith(token.displayPrefix)).toBe(true);
    expect(await listed(token.id)).toEqual(token);
    expect(token).toMatchObject({ role: 'member', cellars: [cellar], lastUsedAt: null, revokedAt: null });
    for (const table of ['service_tokens', 'audit', 'changes']) {
      const { rows } = await service.pool.query<{ row: string }>(
        `SELECT ${table}::text AS row FROM ${table}`,
      );
      expect(rows.map(({ row }) => row).join()).not.toContain(secret);
    }
    expect(service.log.join()).not.toContain(secret);
  });

  test('manages the keys of its cellars, and nothing else', async () => {
    const { token, secret } = await makeToken({ name: 'one cellar', role: 'member', cellars: [cellar] });
    const call = script(secret);
    const made = await call('POST', `/api/v1/cellars/${cellar}/keys`, { name: 'made by a script' });
    expect(made).toMatchObject({ status: 201, body: { key: { createdBy: null } } });
    expect(await call('GET', '/api/v1/cellars')).toMatchObject({ body: { cellars: [{ name: cellar }] } });
    expect(await call('GET', `/api/v1/cellars/${foreign}`)).toMatchObject({ status: 404 });
    expect(await call('POST', '/api/v1/cellars', { name: newName() })).toMatchObject({ status: 403 });
    const audit = await service.admin.call('GET', `/api/v1/cellars/${cellar}/audit?limit=1`);
    expect(audit).toMatchObject({
      body: { entries: [{ action: 'key.created', actor: 'one cellar', actorType: 'token' }] },
    });
    const { rows } = await service.pool.query(
      `SELECT token_id, actor_id FROM audit WHERE actor = 'one cellar'`,
    );
    expect(rows).toEqual([{ token_id: token.id, actor_id: null }]);
  });

  test('of an owner creates cellars, but is no person', async () => {
    const call = script((await makeToken({ role: 'owner' })).secret);
    const name = newName();
    expect(await call('POST', '/api/v1/cellars', { name })).toMatchObject({ status: 201 });
    expect(await call('POST', `/api/v1/cellars/${name}/archive`)).toMatchObject({ status: 200 });
    expect(await call('GET', '/api/v1/audit')).toMatchObject({ status: 200 });
    for (const path of ['/api/v1/session', '/api/v1/sessions', '/api/v1/users', TOKENS])
      expect(await call('GET', path), path).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await call('POST', TOKENS, { name: 'a child', role: 'owner' })).toMatchObject({ status: 403 });
    const invitation = { email: 'new@example.com', role: 'owner' };
    expect(await call('POST', '/api/v1/invitations', invitation)).toMatchObject({ status: 403 });
  });

  test('needs no check for other sites, because no browser sends it by itself', async () => {
    const call = script((await makeToken({ role: 'member', cellars: [cellar] })).secret);
    const foreignPage = { origin: 'https://elsewhere.example.com', 'sec-fetch-site': 'cross-site' };
    const made = await call('POST', `/api/v1/cellars/${cellar}/keys`, { name: 'x' }, foreignPage);
    expect(made.status).toBe(201);
    // The check holds for everything else, also with an Authorization that is none of ours.
    const other = { authorization: 'Bearer something-else', ...foreignPage };
    expect(await service.admin.call('POST', '/api/v1/cellars', { name: newName() }, other)).toMatchObject({
      status: 403,
    });
  });

  test('that is not valid is rejected, also beside a cookie that is', async () => {
    const { token, secret } = await makeToken({ role: 'owner' });
    const { rows } = await service.pool.query<{ hash: Buffer }>(
      `SELECT hash FROM service_tokens WHERE id = $1`,
      [token.id],
    );
    const hash = rows[0]?.hash.toString('base64url') ?? '';
    for (const wrong of [`${secret}x`, secret.slice(0, -1), `cmt_${hash}`, 'cmt_', `cmt_${'x'.repeat(43)}`]) {
      const headers = { authorization: `Bearer ${wrong}` };
      expect(await service.admin.call('GET', '/api/v1/cellars', undefined, headers), wrong).toMatchObject({
        status: 401,
        body: { code: 'unauthenticated' },
      });
    }
    expect(await script(secret)('GET', '/api/v1/cellars')).toMatchObject({ status: 200 });
  });

  test('is worth nothing from its revocation on, which is final', async () => {
    const { token, secret } = await makeToken({ role: 'owner' });
    const path = `${TOKENS}/${token.id}/revoke`;
    const first = await service.admin.call<TokenView>('POST', path);
    expect(first.body.revokedAt).not.toBeNull();
    expect(await script(secret)('GET', '/api/v1/cellars')).toMatchObject({ status: 401 });
    expect((await service.admin.call('POST', path)).body).toEqual(first.body);
    const { rows } = await service.pool.query(
      `SELECT action FROM audit WHERE details->>'tokenId' = $1 ORDER BY id`,
      [token.id],
    );
    expect(rows).toEqual([{ action: 'token.created' }, { action: 'token.revoked' }]);
    const nobodys = `${TOKENS}/9c2b8a52-0000-4000-8000-000000000000/revoke`;
    expect(await service.admin.call('POST', nobodys)).toMatchObject({ status: 404 });
  });

  test('expires', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const { token, secret } = await makeToken({ role: 'owner', expiresAt });
    expect(token.expiresAt).toBe(expiresAt);
    expect(await script(secret)('GET', '/api/v1/cellars')).toMatchObject({ status: 200 });
    await service.pool.query(`UPDATE service_tokens SET expires_at = now() WHERE id = $1`, [token.id]);
    expect(await script(secret)('GET', '/api/v1/cellars')).toMatchObject({ status: 401 });
    const past = { name: 'late', role: 'owner', expiresAt: '2020-01-01T00:00:00Z' };
    expect(await service.admin.call('POST', TOKENS, past)).toMatchObject({ status: 400 });
  });

  test('shows when it was last used, to about a minute', async () => {
    const { token, secret } = await makeToken({ role: 'owner' });
    const call = script(secret);
    expect(await call('GET', '/api/v1/cellars')).toMatchObject({ status: 200 });
    const used = await vi.waitFor(async () => {
      const at = (await listed(token.id))?.lastUsedAt;
      expect(at).toEqual(expect.any(String));
      return at;
    }, 20_000);
    await call('GET', '/api/v1/cellars');
    expect((await listed(token.id))?.lastUsedAt).toBe(used);
    await service.pool.query(
      `UPDATE service_tokens SET last_used_at = last_used_at - interval '61 s' WHERE id = $1`,
      [token.id],
    );
    await call('GET', '/api/v1/cellars');
    expect(Date.parse((await listed(token.id))?.lastUsedAt ?? '')).toBeGreaterThanOrEqual(
      Date.parse(used ?? ''),
    );
  });

  test.each([
    ['an owner with cellars', { role: 'owner', cellars: [] }],
    ['a cellar that does not exist', { role: 'member', cellars: ['no-such-cellar'] }],
    ['no role', {}],
  ])('is not made for %s', async (_case, fields) => {
    expect(await service.admin.call('POST', TOKENS, { name: 'x', ...fields })).toMatchObject({ status: 400 });
  });
});

describe('the expiry of a service token', () => {
  const inDays = (days: number) => Date.now() + days * 86_400_000;
  const create = (client: ApiClient, expiresAt?: string | null) =>
    client.call<{ token: TokenView }>('POST', TOKENS, {
      name: 'nightly',
      role: 'member',
      ...(expiresAt === undefined ? {} : { expiresAt }),
    });

  test('is in 90 days when none is given', async () => {
    const { body } = await create(service.admin);
    const expiresAt = Date.parse(body.token.expiresAt ?? '');
    expect(Math.abs(expiresAt - inDays(90))).toBeLessThan(60_000);
  });

  test('is within a year, and never none', async () => {
    expect(await create(service.admin, new Date(inDays(365)).toISOString())).toMatchObject({ status: 201 });
    const rejection = { status: 400, body: { code: 'invalid_request' } };
    expect(await create(service.admin, new Date(inDays(366)).toISOString())).toMatchObject(rejection);
    expect(await create(service.admin, null)).toMatchObject(rejection);
    expect(await service.admin.call('GET', TOKENS)).toMatchObject({ body: { maxDays: 365 } });
  });

  test.each([
    ['30', 30, 31],
    ['0', null, null],
  ])('with TOKEN_MAX_DAYS=%s: at most in %s days', async (days, maxDays, tooFar) => {
    const replica = await service.startReplica({ TOKEN_MAX_DAYS: days });
    try {
      const client = await createApiClient(replica.url);
      await client.signIn(ADMIN.email, ADMIN.password);
      expect(await client.call('GET', TOKENS)).toMatchObject({ body: { maxDays } });
      const byDefault = Date.parse((await create(client)).body.token.expiresAt ?? '');
      expect(Math.abs(byDefault - inDays(maxDays ?? 90))).toBeLessThan(60_000);
      const late = tooFar === null ? null : new Date(inDays(tooFar)).toISOString();
      expect(await create(client, late)).toMatchObject({ status: maxDays === null ? 201 : 400 });
    } finally {
      await replica.stop();
    }
  });
});

test('active tokens that were not used within 30 days are counted', async () => {
  await service.pool.query(`UPDATE service_tokens SET revoked_at = coalesce(revoked_at, now())`);
  const given = [
    ['never used', { created_at: '31 days' }],
    ['used long ago', { created_at: '90 days', last_used_at: '31 days' }],
    ['created lately', { created_at: '29 days' }],
    ['used lately', { created_at: '90 days', last_used_at: '29 days' }],
    ['revoked', { created_at: '90 days', revoked_at: '1 day' }],
    ['expired', { created_at: '90 days', expires_at: '1 day' }],
  ] as const;
  for (const [name, ages] of given) {
    const { token } = await makeToken({ name, role: 'member' });
    for (const [column, age] of Object.entries(ages)) {
      await service.pool.query(`UPDATE service_tokens SET ${column} = now() - $2::interval WHERE id = $1`, [
        token.id,
        age,
      ]);
    }
  }
  const replica = await service.startReplica();
  try {
    await vi.waitFor(
      async () => {
        const metrics = await (await fetch(`${replica.url}/metrics`)).text();
        expect(metrics).toMatch(/^cellarman_key_service_unused_tokens 2$/m);
      },
      { timeout: 20_000, interval: 50 },
    );
  } finally {
    await replica.stop();
  }
});

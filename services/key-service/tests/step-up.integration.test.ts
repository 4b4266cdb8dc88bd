import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOOKUP_PATH } from '@cellarman/contracts';
import type { LookupResponse } from '@cellarman/contracts';
import type { ApiClient } from './api-client.ts';
import { makeCellar, makeKey } from './made.ts';
import { join, newEmail, PASSWORD } from './people.ts';
import type { Person } from './people.ts';
import { startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startServiceUnderTest();
});
afterAll(() => service.stop());

/** As if the person had signed in ten minutes ago. */
async function letConfirmationExpire({ id }: Person): Promise<void> {
  await service.pool.query(
    `UPDATE sessions SET created_at = created_at - interval '10 minutes', confirmed_at = confirmed_at - interval '10 minutes'
     WHERE administrator_id = $1`,
    [id],
  );
}

const user = ({ id }: Person) => `/api/v1/users/${id}`;
const confirm = (client: ApiClient, password: string) =>
  client.call('POST', '/api/v1/session/confirm', { password });
const required = { status: 403, body: { code: 'password_required' } };

describe('an owner who signed in some time ago', () => {
  let owner: Person;
  let member: Person;
  beforeAll(async () => {
    owner = await join(service, { role: 'owner' });
    member = await join(service, { role: 'member' });
  });

  test.each([
    [
      'creates a service token',
      () => ['POST', '/api/v1/tokens', { name: 'x', role: 'member' }] as const,
      201,
    ],
    [
      'invites an owner',
      () => ['POST', '/api/v1/invitations', { email: newEmail(), role: 'owner' }] as const,
      201,
    ],
    ['makes a member an owner', () => ['PATCH', user(member), { role: 'owner' }] as const, 200],
  ])('%s only with the password', async (_case, request, done) => {
    await letConfirmationExpire(owner);
    const [method, path, body] = request();
    expect(await owner.client.call(method, path, body)).toMatchObject(required);
    expect(await confirm(owner.client, 'not the password at all')).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    expect(await owner.client.call(method, path, body)).toMatchObject(required);
    expect(await confirm(owner.client, PASSWORD)).toMatchObject({ status: 204 });
    expect(await owner.client.call(method, path, body)).toMatchObject({ status: done });
    await letConfirmationExpire(owner);
    const [again, to, fields] = request();
    if (_case !== 'makes a member an owner') {
      expect(await owner.client.call(again, to, fields)).toMatchObject(required);
    }
  });

  test('lets a disabled owner in again only with the password', async () => {
    const other = await join(service, { role: 'owner' });
    const disable = (isDisabled: boolean) => owner.client.call('PATCH', user(other), { isDisabled });
    await letConfirmationExpire(owner);
    expect(await disable(true)).toMatchObject({ status: 200 });
    expect(await disable(false)).toMatchObject(required);
    expect(await confirm(owner.client, PASSWORD)).toMatchObject({ status: 204 });
    expect(await disable(false)).toMatchObject({ status: 200 });
  });

  test('does everything else without, and confirms for one session only', async () => {
    const elsewhere = await join(service, { role: 'owner' });
    await letConfirmationExpire(elsewhere);
    expect(await confirm(owner.client, PASSWORD)).toMatchObject({ status: 204 });
    const token = { name: 'x', role: 'member' };
    expect(await elsewhere.client.call('POST', '/api/v1/tokens', token)).toMatchObject(required);
    const invitation = { email: newEmail(), role: 'member' };
    expect(await elsewhere.client.call('POST', '/api/v1/invitations', invitation)).toMatchObject({
      status: 201,
    });
  });

  test('cannot guess the password there', async () => {
    const person = await join(service, { role: 'owner' });
    for (let i = 0; i < 5; i++) expect(await confirm(person.client, 'wrong')).toMatchObject({ status: 403 });
    expect(await confirm(person.client, PASSWORD)).toMatchObject({ status: 429 });
  });
});

describe('disabling a user with all that they have created', () => {
  const isRevoked = async (hash: string) => {
    const { body } = await service.internal<LookupResponse>('POST', LOOKUP_PATH, { hashes: [hash] });
    return body.answers[0]?.key?.revokedAt !== null;
  };

  async function createWith(client: ApiClient, cellar: string, headers: Record<string, string> = {}) {
    const answer = await client.call<{ key: { id: string } }>(
      'POST',
      `/api/v1/cellars/${cellar}/keys`,
      { name: 'theirs' },
      headers,
    );
    expect(answer.status).toBe(201);
    const { rows } = await service.pool.query<{ hash: string }>(
      `SELECT encode(hash, 'hex') AS hash FROM api_keys WHERE id = $1`,
      [answer.body.key.id],
    );
    return rows[0]?.hash ?? '';
  }

  async function prepare() {
    const { name: cellar } = await makeCellar(service);
    const person = await join(service, { role: 'owner' });
    const made = await person.client.call<{ secret: string }>('POST', '/api/v1/tokens', {
      name: 'theirs',
      role: 'owner',
    });
    const authorization = { authorization: `Bearer ${made.body.secret}` };
    const own = await createWith(person.client, cellar);
    const byToken = await createWith(service.anonymous, cellar, authorization);
    const others = (await makeKey(service, cellar)).hash;
    // Looked up once, so that they are cached.
    for (const hash of [own, byToken, others]) expect(await isRevoked(hash)).toBe(false);
    const list = () => service.anonymous.call('GET', '/api/v1/cellars', undefined, authorization);
    return { cellar, person, own, byToken, others, list };
  }

  test('revokes their tokens and keys, also those that their tokens created, and writes it down', async () => {
    const { cellar, person, own, byToken, others, list } = await prepare();
    const change = { isDisabled: true, revokeCreated: true };
    expect(await service.admin.call('PATCH', user(person), change)).toMatchObject({ status: 200 });
    expect(await list()).toMatchObject({ status: 401 });
    expect(await isRevoked(own)).toBe(true);
    expect(await isRevoked(byToken)).toBe(true);
    expect(await isRevoked(others)).toBe(false);
    expect(await service.admin.call('GET', '/api/v1/audit?limit=2')).toMatchObject({
      body: {
        entries: [
          {
            action: 'user.changed',
            details: { email: person.email, after: { isDisabled: true }, revokedTokens: 1, revokedKeys: 2 },
          },
          { action: 'keys.revoked', cellar, details: { createdBy: person.email, keys: 2 } },
        ],
      },
    });
  });

  test('is a choice: without it they go on, and can be revoked later', async () => {
    const { person, own, byToken, list } = await prepare();
    const change = (fields: object) => service.admin.call('PATCH', user(person), fields);
    expect(await change({ isDisabled: true })).toMatchObject({ status: 200 });
    expect(await list()).toMatchObject({ status: 200 });
    expect(await isRevoked(own)).toBe(false);
    expect(await change({ isDisabled: true, revokeCreated: true })).toMatchObject({ status: 200 });
    expect(await list()).toMatchObject({ status: 401 });
    expect(await isRevoked(byToken)).toBe(true);
    expect(await change({ isDisabled: false, revokeCreated: true })).toMatchObject({ status: 400 });
  });

  test('leaves nothing behind that is created at the same time', async () => {
    const { cellar, person } = await prepare();
    const creations = Array.from({ length: 20 }, async () =>
      person.client.call('POST', `/api/v1/cellars/${cellar}/keys`, { name: 'late' }),
    );
    const disabled = service.admin.call('PATCH', user(person), {
      isDisabled: true,
      revokeCreated: true,
    });
    expect(await disabled).toMatchObject({ status: 200 });
    const statuses = new Set((await Promise.all(creations)).map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 201 && status !== 401)).toEqual([]);
    const { rows } = await service.pool.query(
      `SELECT id FROM api_keys WHERE created_by = $1 AND revoked_at IS NULL`,
      [person.id],
    );
    expect(rows).toEqual([]);
  });
});

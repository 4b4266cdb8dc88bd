import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createApiClient } from './api-client.ts';
import { makeCellar } from './made.ts';
import { inviteTo, join, newEmail, PASSWORD } from './people.ts';
import type { Person } from './people.ts';
import { ADMIN, startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startServiceUnderTest();
});
afterAll(() => service.stop());

/** A password is hashed meanwhile. */
const PATIENCE = { timeout: 20_000, interval: 50 };
const ACCEPT = '/api/v1/join';
const LOOKUP = '/api/v1/join/lookup';

const accept = (token: string, password = PASSWORD) =>
  service.anonymous.call('POST', ACCEPT, { token, password });

async function actions(email: string): Promise<string[]> {
  const { rows } = await service.pool.query<{ action: string }>(
    `SELECT action FROM audit WHERE details->>'email' = $1 ORDER BY id`,
    [email],
  );
  return rows.map(({ action }) => action);
}

const change = (id: string, fields: object) => service.admin.call('PATCH', `/api/v1/users/${id}`, fields);

async function userId(email: string): Promise<string> {
  const { rows } = await service.pool.query<{ id: string }>(
    `SELECT id FROM administrators WHERE email = $1`,
    [email],
  );
  return rows[0]?.id ?? '';
}

describe('an invitation', () => {
  test('lets the user with its link join, once, with the access it names', async () => {
    const { name } = await makeCellar(service);
    const email = newEmail();
    const token = await inviteTo(service, { email: email.toUpperCase(), role: 'member', cellars: [name] });
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await service.anonymous.call('POST', LOOKUP, { token })).toMatchObject({
      status: 200,
      body: { email, role: 'member', cellars: [name] },
    });

    const joined = await accept(token);
    expect(joined).toMatchObject({
      status: 201,
      body: { user: { email, role: 'member', cellars: [name] } },
    });
    const cookie = joined.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    expect(await service.anonymous.call('GET', '/api/v1/cellars', undefined, { cookie })).toMatchObject({
      body: { cellars: [{ name }] },
    });
    expect(await accept(token)).toMatchObject({ status: 404 });
    expect(await service.anonymous.call('POST', LOOKUP, { token })).toMatchObject({ status: 404 });
    expect(await actions(email)).toEqual(['invitation.created', 'user.joined']);
  });

  test('makes one account when its link is opened twice concurrently', async () => {
    const email = newEmail();
    const token = await inviteTo(service, { email, role: 'member' });
    const answers = await Promise.all([accept(token), accept(token), accept(token)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 404, 404]);
    expect(await actions(email)).toEqual(['invitation.created', 'user.joined']);
  });

  test('is in the database under a hash only, which opens nothing', async () => {
    const email = newEmail();
    const token = await inviteTo(service, { email, role: 'owner' });
    const { rows } = await service.pool.query<{ row: string; hash: Buffer }>(
      `SELECT hash, to_jsonb(invitations)::text AS row FROM invitations WHERE email = $1`,
      [email],
    );
    expect(rows[0]?.row).not.toContain(token);
    expect(await accept(rows[0]?.hash.toString('base64url') ?? '')).toMatchObject({ status: 404 });
    const audit = await service.pool.query<{ row: string }>(`SELECT audit::text AS row FROM audit`);
    expect(audit.rows.map(({ row }) => row).join()).not.toContain(token);
    expect(service.log.join()).not.toContain(token);
  });

  test('can be seen and withdrawn; a new one replaces it', async () => {
    const email = newEmail();
    const first = await inviteTo(service, { email, role: 'owner' });
    const second = await inviteTo(service, { email, role: 'member' });
    expect(await accept(first)).toMatchObject({ status: 404 });

    const list = await service.admin.call<{ invitations: { id: string; email: string; role: string }[] }>(
      'GET',
      '/api/v1/invitations?limit=200',
    );
    const mine = list.body.invitations.filter((invitation) => invitation.email === email);
    expect(mine).toMatchObject([{ role: 'member', createdBy: ADMIN.email, cellars: [] }]);
    const path = `/api/v1/invitations/${mine[0]?.id ?? ''}`;
    expect(await service.admin.call('DELETE', path)).toMatchObject({ status: 204 });
    expect(await service.admin.call('DELETE', path)).toMatchObject({ status: 404 });
    expect(await accept(second)).toMatchObject({ status: 404 });
    expect(await actions(email)).toEqual([
      'invitation.created',
      'invitation.created',
      'invitation.withdrawn',
    ]);
  });

  test('expires', async () => {
    const email = newEmail();
    const token = await inviteTo(service, { email, role: 'member' });
    await service.pool.query(`UPDATE invitations SET expires_at = now() WHERE email = $1`, [email]);
    expect(await service.anonymous.call('POST', LOOKUP, { token })).toMatchObject({ status: 404 });
    expect(await accept(token)).toMatchObject({ status: 404 });
    const list = await service.admin.call('GET', '/api/v1/invitations?limit=200');
    expect(JSON.stringify(list.body)).not.toContain(email);
  });

  const inviteAs = (owner: Person, email: string) =>
    owner.client.call<{ token: string }>('POST', '/api/v1/invitations', { email, role: 'owner' });

  test.each([
    ['is disabled', { isDisabled: true }, { isDisabled: false }],
    ['becomes a member', { role: 'member' }, { role: 'owner' }],
  ])('is worth nothing when its owner %s, also later', async (_case, loss, regain) => {
    const owner = await join(service, { role: 'owner' });
    const email = newEmail();
    const { token } = (await inviteAs(owner, email)).body;
    const other = await inviteTo(service, { email: newEmail(), role: 'owner' });

    expect(await change(owner.id, loss)).toMatchObject({ status: 200 });
    expect(await service.anonymous.call('POST', LOOKUP, { token })).toMatchObject({ status: 404 });
    expect(await accept(token)).toMatchObject({ status: 404 });
    const list = await service.admin.call('GET', '/api/v1/invitations?limit=200');
    expect(JSON.stringify(list.body)).not.toContain(email);
    const { rows } = await service.pool.query(
      `SELECT details FROM audit WHERE action = 'user.changed' AND details->>'email' = $1`,
      [owner.email],
    );
    expect(rows).toMatchObject([{ details: { withdrawnInvitations: 1 } }]);

    expect(await change(owner.id, regain)).toMatchObject({ status: 200 });
    expect(await accept(token)).toMatchObject({ status: 404 });
    expect(await accept(other)).toMatchObject({ status: 201 });
  });

  test('is worth nothing when its owner was disabled by a version that left it there', async () => {
    const owner = await join(service, { role: 'owner' });
    const { token } = (await inviteAs(owner, newEmail())).body;
    await service.pool.query(`UPDATE administrators SET disabled_at = now() WHERE id = $1`, [owner.id]);
    expect(await service.anonymous.call('POST', LOOKUP, { token })).toMatchObject({ status: 404 });
    expect(await accept(token)).toMatchObject({ status: 404 });
  });

  test('is worth nothing when it is made and used while its owner is being disabled', async () => {
    const owner = await join(service, { role: 'owner' });
    const disabling = await service.pool.connect();
    try {
      await disabling.query('BEGIN');
      await disabling.query(`UPDATE administrators SET disabled_at = now() WHERE id = $1`, [owner.id]);
      const email = newEmail();
      const { token } = (await inviteAs(owner, email)).body;
      let isAnswered = false;
      const accepted = accept(token).finally(() => (isAnswered = true));
      await vi.waitFor(async () => {
        const waiting = await service.pool.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        expect(isAnswered || waiting.rowCount === 1).toBe(true);
      }, PATIENCE);
      await disabling.query('COMMIT');
      expect(await accepted).toMatchObject({ status: 404 });
      expect(await actions(email)).toEqual(['invitation.created']);

      // What was left there does not come back with its owner.
      expect(await change(owner.id, { isDisabled: false })).toMatchObject({ status: 200 });
      expect(await accept(token)).toMatchObject({ status: 404 });
    } finally {
      // Closed, so that no lock is left when the test fails.
      disabling.release(true);
    }
  });

  test('stays good when the password is weak', async () => {
    const token = await inviteTo(service, { email: newEmail(), role: 'member' });
    expect(await accept(token, 'qwertyqwerty')).toMatchObject({ status: 400 });
    expect(await accept(token)).toMatchObject({ status: 201 });
  });

  test.each([
    ['an owner with cellars', { role: 'owner', cellars: [] }, 400],
    ['a cellar that does not exist', { role: 'member', cellars: ['no-such-cellar'] }, 400],
    ['a role that does not exist', { role: 'king' }, 400],
    ['an address that is none', { email: 'nobody', role: 'member' }, 400],
    ['somebody with an account', { email: ADMIN.email, role: 'member' }, 409],
  ])('is not made for %s', async (_case, fields, status) => {
    const body = { email: newEmail(), ...fields };
    expect(await service.admin.call('POST', '/api/v1/invitations', body)).toMatchObject({ status });
  });
});

describe('an account', () => {
  test('is listed with what it may do, by email, in pages', async () => {
    const { name } = await makeCellar(service);
    const { email, id } = await join(service, { role: 'member', cellars: [name] });
    const emails: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; page < 50 && cursor !== null; page++) {
      const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await service.admin.call<{
        users: { id: string; email: string; cellars: string[] | null }[];
        nextCursor: string | null;
      }>('GET', `/api/v1/users?limit=2${next}`);
      emails.push(...body.users.map((each) => each.email));
      const found = body.users.find((each) => each.id === id);
      if (found !== undefined) expect(found).toMatchObject({ email, role: 'member', cellars: [name] });
      cursor = body.nextCursor;
    }
    expect(emails).toContain(email);
    expect(emails).toEqual([...new Set(emails)].toSorted());
  });

  test('loses and gets cellars with the next request', async () => {
    const [one, two] = [await makeCellar(service), await makeCellar(service)];
    const { client, id, email } = await join(service, { role: 'member', cellars: [one.name] });
    const sees = async (name: string) => (await client.call('GET', `/api/v1/cellars/${name}`)).status;
    expect([await sees(one.name), await sees(two.name)]).toEqual([200, 404]);
    expect(await change(id, { cellars: [two.name] })).toMatchObject({
      status: 200,
      body: { role: 'member', cellars: [two.name] },
    });
    expect([await sees(one.name), await sees(two.name)]).toEqual([404, 200]);
    expect(await change(id, { role: 'owner' })).toMatchObject({ body: { role: 'owner', cellars: null } });
    expect([await sees(one.name), await sees(two.name)]).toEqual([200, 200]);
    expect(await change(id, { role: 'member' })).toMatchObject({ body: { role: 'member', cellars: [] } });
    expect([await sees(one.name), await sees(two.name)]).toEqual([404, 404]);
    expect(await change(id, { role: 'member' })).toMatchObject({ status: 200 });
    expect(await actions(email)).toEqual([
      'invitation.created',
      'user.joined',
      'user.changed',
      'user.changed',
      'user.changed',
    ]);
  });

  test('that becomes a viewer reads, and changes nothing from the next request on', async () => {
    const { name } = await makeCellar(service);
    const keys = `/api/v1/cellars/${name}/keys`;
    const token = await inviteTo(service, { email: newEmail(), role: 'owner' });
    const { email } = (await service.anonymous.call<{ email: string }>('POST', LOOKUP, { token })).body;
    const access = { role: 'viewer', cellars: [name] };
    // Inviting again replaces the access too.
    const joined = await accept(await inviteTo(service, { email, ...access }));
    expect(joined).toMatchObject({ status: 201, body: { user: access } });
    const id = await userId(email);
    const client = await createApiClient(service.url);
    client.keepSession(joined);
    const create = () => client.call('POST', keys, { name: 'press 7' });
    expect(await create()).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await change(id, { role: 'member' })).toMatchObject({ body: { role: 'member', cellars: [name] } });
    expect(await create()).toMatchObject({ status: 201 });
    expect(await change(id, { role: 'viewer' })).toMatchObject({ body: access });
    expect(await create()).toMatchObject({ status: 403 });
    expect(await client.call('GET', keys)).toMatchObject({
      status: 200,
      body: { keys: [{ name: 'press 7' }] },
    });
    expect(await change(id, { cellars: [] })).toMatchObject({ body: { role: 'viewer', cellars: [] } });
    expect(await client.call('GET', keys)).toMatchObject({ status: 404 });
  });

  test('that is a viewer is a member without cellars for the previous version, which has no viewers', async () => {
    const { name } = await makeCellar(service);
    const access = { role: 'viewer', cellars: [name] };
    const invited = newEmail();
    await inviteTo(service, { email: invited, ...access });
    const { id } = await join(service, access);
    const token = await service.admin.call<{ token: { id: string } }>('POST', '/api/v1/tokens', {
      name: 'a wall of charts',
      ...access,
    });
    // As its queries are.
    const { rows } = await service.pool.query<{ role: string; cellars: string[] | null }>(
      `SELECT role, CASE role WHEN 'member' THEN
         ARRAY(SELECT cellar FROM grants WHERE administrator_id = administrators.id) END AS cellars
       FROM administrators WHERE id = $1
       UNION ALL SELECT role, CASE role WHEN 'member' THEN cellars END FROM invitations WHERE email = $2
       UNION ALL SELECT role, CASE role WHEN 'member' THEN cellars END FROM service_tokens WHERE id = $3`,
      [id, invited, token.body.token.id],
    );
    expect(rows).toEqual(Array.from({ length: 3 }, () => ({ role: 'member', cellars: [] })));
  });

  test('that is disabled is signed out everywhere immediately and cannot sign in until it is enabled', async () => {
    const { client, id, email } = await join(service, { role: 'owner' });
    expect(await change(id, { isDisabled: true })).toMatchObject({
      body: { disabledAt: expect.any(String) as string },
    });
    expect(await client.call('GET', '/api/v1/session')).toMatchObject({ status: 401 });
    const signIn = () => service.anonymous.call('POST', '/api/v1/session', { email, password: PASSWORD });
    const unknown = await service.anonymous.call('POST', '/api/v1/session', {
      email: newEmail(),
      password: PASSWORD,
    });
    const rejected = await signIn();
    expect([rejected.status, rejected.body]).toEqual([unknown.status, unknown.body]);
    const left = await service.pool.query(`SELECT FROM sessions WHERE administrator_id = $1`, [id]);
    expect(left.rowCount).toBe(0);

    expect(await change(id, { isDisabled: false })).toMatchObject({ body: { disabledAt: null } });
    expect(await signIn()).toMatchObject({ status: 201 });
  });

  test('that signs in while it is disabled keeps no session', async () => {
    const { id, email } = await join(service, { role: 'member' });
    for (let round = 0; round < 5; round++) {
      const [signedIn] = await Promise.all([
        service.anonymous.call('POST', '/api/v1/session', { email, password: PASSWORD }),
        change(id, { isDisabled: true }),
      ]);
      expect([201, 401]).toContain(signedIn.status);
      const left = await service.pool.query(`SELECT FROM sessions WHERE administrator_id = $1`, [id]);
      expect(left.rowCount).toBe(0);
      await change(id, { isDisabled: false });
    }
  });

  test.each([
    ['made a member', { role: 'member' }],
    ['disabled', { isDisabled: true }],
  ])('of the last owner cannot be %s', async (_case, fields) => {
    await service.pool.query(`UPDATE administrators SET disabled_at = now() WHERE email <> $1`, [
      ADMIN.email,
    ]);
    const id = await userId(ADMIN.email);
    expect(await change(id, fields)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await service.admin.call('GET', '/api/v1/users')).toMatchObject({ status: 200 });
  });

  test('of one owner stays when two remove each other concurrently', async () => {
    await service.pool.query(`UPDATE administrators SET disabled_at = now() WHERE email <> $1`, [
      ADMIN.email,
    ]);
    const other = await join(service, { role: 'owner' });
    const first = await userId(ADMIN.email);
    const answers = await Promise.all([
      change(other.id, { role: 'member' }),
      other.client.call('PATCH', `/api/v1/users/${first}`, { role: 'member' }),
    ]);
    const owners = await service.pool.query(
      `SELECT FROM administrators WHERE role = 'owner' AND disabled_at IS NULL`,
    );
    expect(owners.rowCount).toBe(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // Back to what the other tests expect.
    await service.pool.query(`UPDATE administrators SET role = 'owner' WHERE email = $1`, [ADMIN.email]);
  });

  test('that is unknown, or a change that changes nothing, is rejected', async () => {
    const unknown = '9c2b8a52-0000-4000-8000-000000000000';
    expect(await change(unknown, { isDisabled: true })).toMatchObject({ status: 404 });
    const { id } = await join(service, { role: 'member' });
    for (const fields of [
      {},
      { cellars: ['no-such-cellar'] },
      { role: 'owner', cellars: [] },
      { email: 'x@y' },
    ])
      expect(await change(id, fields)).toMatchObject({ status: 400 });
  });

  test('opens no session while its password is another by then', async () => {
    const { email } = await join(service, { role: 'member' });
    const client = await createApiClient(service.url);
    expect(await client.signIn(email, PASSWORD)).toMatchObject({ status: 201 });
    const newPassword = 'four barrels of oak';
    const [changed, racing] = await Promise.all([
      client.call('POST', '/api/v1/session/password', { currentPassword: PASSWORD, newPassword }),
      service.anonymous.call('POST', '/api/v1/session', { email, password: PASSWORD }),
    ]);
    expect(changed.status).toBe(200);
    expect([201, 401]).toContain(racing.status);
    const left = await service.pool.query(
      `SELECT FROM sessions JOIN administrators ON administrators.id = administrator_id WHERE email = $1`,
      [email],
    );
    expect(left.rowCount).toBe(1);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApiClient } from './api-client.ts';
import type { ApiClient } from './api-client.ts';
import { ADMIN, startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startServiceUnderTest({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => service.stop());

interface SessionItem {
  id: string;
  createdAt: string;
  lastUsedAt: string;
  endsAt: string;
  address: string | null;
  userAgent: string | null;
  isCurrent: boolean;
}

/** A browser that has just signed in. */
async function browser(password = ADMIN.password): Promise<ApiClient> {
  const client = await createApiClient(service.url);
  expect(await client.signIn(ADMIN.email, password)).toMatchObject({ status: 201 });
  return client;
}

const isSignedIn = async (client: ApiClient) => (await client.call('GET', '/api/v1/session')).status === 200;

async function sessionsOf(client: ApiClient): Promise<SessionItem[]> {
  const answer = await client.call<{ sessions: SessionItem[] }>('GET', '/api/v1/sessions?limit=200');
  expect(answer.status).toBe(200);
  return answer.body.sessions;
}

/** What was done since, oldest first. */
async function audited(since: string): Promise<string[]> {
  const { rows } = await service.pool.query<{ action: string }>(
    `SELECT action FROM audit WHERE id > $1 ORDER BY id`,
    [since],
  );
  return rows.map(({ action }) => action);
}

async function lastEntry(): Promise<string> {
  const { rows } = await service.pool.query<{ id: string }>(`SELECT max(id) AS id FROM audit`);
  return rows[0]?.id ?? '0';
}

beforeEach(() => service.pool.query(`DELETE FROM sessions`));

describe('the list of sessions', () => {
  test('shows when and from where each was opened, and which one is the current', async () => {
    const laptop = await browser();
    const phone = { 'x-forwarded-for': '203.0.113.9', 'user-agent': 'Phone/1.0 '.repeat(100) };
    expect(await service.anonymous.call('POST', '/api/v1/session', ADMIN, phone)).toMatchObject({
      status: 201,
    });
    const [newest, oldest, ...more] = await sessionsOf(laptop);
    expect(more).toEqual([]);
    expect(oldest).toMatchObject({ isCurrent: true, address: '127.0.0.1', userAgent: 'node' });
    expect(newest).toMatchObject({ isCurrent: false, address: '203.0.113.9' });
    expect(newest?.userAgent).toBe(phone['user-agent'].slice(0, 300));
    expect(Date.parse(newest?.endsAt ?? '') - Date.parse(newest?.createdAt ?? '')).toBe(43_200_000);
  });

  test('comes in pages that miss none, and leaves out those that have ended', async () => {
    const client = await browser();
    for (let i = 0; i < 4; i++) await browser();
    await service.pool.query(
      `UPDATE sessions SET ends_at = now() WHERE id = (SELECT id FROM sessions ORDER BY created_at DESC LIMIT 1)`,
    );
    const ids: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; page < 10 && cursor !== null; page++) {
      const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await client.call<{ sessions: SessionItem[]; nextCursor: string | null }>(
        'GET',
        `/api/v1/sessions?limit=2${next}`,
      );
      ids.push(...body.sessions.map(({ id }) => id));
      cursor = body.nextCursor;
    }
    expect(new Set(ids).size).toBe(4);
    expect(ids).toEqual((await sessionsOf(client)).map(({ id }) => id));
  });

  test('has nothing that opens a session', async () => {
    const client = await browser();
    const [session] = await sessionsOf(client);
    const cookie = `cellarman-session=${session?.id ?? ''}`;
    expect(await service.anonymous.call('GET', '/api/v1/session', undefined, { cookie })).toMatchObject({
      status: 401,
    });
  });
});

describe('ending sessions', () => {
  test('one ends immediately, and the others go on', async () => {
    const [laptop, phone, tablet] = [await browser(), await browser(), await browser()];
    const phoneSession = (await sessionsOf(phone)).find(({ isCurrent }) => isCurrent);
    const since = await lastEntry();
    const path = `/api/v1/sessions/${phoneSession?.id ?? ''}`;
    expect(await laptop.call('DELETE', path)).toMatchObject({ status: 204 });
    expect([await isSignedIn(laptop), await isSignedIn(phone), await isSignedIn(tablet)]).toEqual([
      true,
      false,
      true,
    ]);
    expect(await laptop.call('DELETE', path)).toMatchObject({ status: 404 });
    expect(await audited(since)).toEqual(['session.ended']);
  });

  test('all others end, this one stays', async () => {
    const [laptop, phone, tablet] = [await browser(), await browser(), await browser()];
    const since = await lastEntry();
    expect(await laptop.call('DELETE', '/api/v1/sessions')).toMatchObject({ body: { ended: 2 } });
    expect([await isSignedIn(laptop), await isSignedIn(phone), await isSignedIn(tablet)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(await laptop.call('DELETE', '/api/v1/sessions')).toMatchObject({ body: { ended: 0 } });
    expect(await audited(since)).toEqual(['session.others_ended']);
  });

  test('signing in and out are in the audit, each once', async () => {
    const since = await lastEntry();
    const client = await browser();
    await client.call('DELETE', '/api/v1/session');
    await client.call('DELETE', '/api/v1/session');
    expect(await audited(since)).toEqual(['session.opened', 'session.closed']);
  });
});

describe('changing the password', () => {
  const PASSWORD = '/api/v1/session/password';
  const NEW = 'a cellar full of riesling';

  test('needs the current one, and one that is not weak', async () => {
    const client = await browser();
    const since = await lastEntry();
    const change = (currentPassword: string, newPassword: string) =>
      client.call('POST', PASSWORD, { currentPassword, newPassword });
    expect(await change('wrong', NEW)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await change(ADMIN.password, 'too short')).toMatchObject({ status: 400 });
    expect(await change(ADMIN.password, 'qwertyqwerty')).toMatchObject({ status: 400 });
    expect(await audited(since)).toEqual([]);
    expect(await isSignedIn(await browser())).toBe(true);
  });

  test('ends every session and goes on with a new one; the old password is worth nothing', async () => {
    const [laptop, phone] = [await browser(), await browser()];
    const since = await lastEntry();
    const before = (await sessionsOf(laptop)).map(({ id }) => id);
    const change = { currentPassword: ADMIN.password, newPassword: NEW };
    const done = await laptop.call('POST', PASSWORD, change);
    expect(done).toMatchObject({ status: 200, body: { user: { email: ADMIN.email } } });
    expect([await isSignedIn(laptop), await isSignedIn(phone)]).toEqual([false, false]);
    const cookie = done.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    expect(await service.anonymous.call('GET', '/api/v1/session', undefined, { cookie })).toMatchObject({
      status: 200,
    });
    expect(await audited(since)).toEqual(['user.password_changed', 'session.opened']);

    expect(await service.anonymous.call('POST', '/api/v1/session', ADMIN)).toMatchObject({ status: 401 });
    const again = await browser(NEW);
    expect((await sessionsOf(again)).some(({ id }) => before.includes(id))).toBe(false);
    const back = await again.call('POST', PASSWORD, { currentPassword: NEW, newPassword: ADMIN.password });
    expect(back.status).toBe(200);
  });

  test('is no way to guess it: six attempts and one has to wait', async () => {
    const client = await browser();
    const from = { 'x-forwarded-for': '203.0.113.77' };
    const statuses = [];
    for (let i = 0; i < 6; i++) {
      const body = { currentPassword: `guess ${i}`, newPassword: NEW };
      statuses.push((await client.call('POST', PASSWORD, body, from)).status);
    }
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
  });
});

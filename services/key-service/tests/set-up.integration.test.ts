import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApiClient } from './api-client.ts';
import { startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

const SET_UP = '/api/v1/setup';
const MARA = { email: 'Mara@example.com', password: 'three barrels of oak' };

let service: ServiceUnderTest;
beforeEach(async () => {
  service = await startServiceUnderTest({ ADMIN_EMAIL: '', ADMIN_PASSWORD: '' });
});
afterEach(() => service.stop());

/** The tokens that the log shows, in order. */
function loggedTokens(): string[] {
  return service.log.flatMap((line) => (JSON.parse(line) as { setUpToken?: string }).setUpToken ?? []);
}

const setUp = (token: string, fields: object = {}) =>
  service.anonymous.call('POST', SET_UP, { token, ...MARA, ...fields });

describe('a new installation', () => {
  test('logs a token once, with which the first user is made, and is signed in', async () => {
    expect(await service.anonymous.call('GET', SET_UP)).toMatchObject({ body: { isNeeded: true } });
    const [token = '', ...more] = loggedTokens();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(more).toEqual([]);

    const done = await setUp(token);
    expect(done).toMatchObject({ status: 201, body: { user: { email: 'mara@example.com' } } });
    const cookie = done.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    expect(await service.anonymous.call('GET', '/api/v1/session', undefined, { cookie })).toMatchObject({
      status: 200,
    });
    const browser = await createApiClient(service.url);
    expect(await browser.signIn(MARA.email, MARA.password)).toMatchObject({ status: 201 });
    expect(await browser.call('GET', '/api/v1/audit')).toMatchObject({
      body: {
        entries: [
          { action: 'session.opened' },
          { action: 'session.opened' },
          { action: 'user.created', actor: 'mara@example.com', address: '127.0.0.1' },
        ],
      },
    });
  });

  test('takes the token once, and needs nothing more', async () => {
    const [token = ''] = loggedTokens();
    const answers = await Promise.all([setUp(token), setUp(token, { email: 'other@example.com' })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(await setUp(token)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await service.anonymous.call('GET', SET_UP)).toMatchObject({ body: { isNeeded: false } });

    const replica = await service.startReplica();
    await replica.stop();
    expect(loggedTokens()).toEqual([token]);
    const { rows } = await service.pool.query(
      `SELECT FROM administrators UNION ALL SELECT FROM set_up_tokens`,
    );
    expect(rows).toHaveLength(1);
  });

  test('rejects a token that was not made, also the hash of one as it is stored, and a weak password', async () => {
    const [token = ''] = loggedTokens();
    const { rows } = await service.pool.query<{ hash: Buffer }>(`SELECT hash FROM set_up_tokens`);
    for (const wrong of ['x'.repeat(43), rows[0]?.hash.toString('base64url') ?? '']) {
      expect(await setUp(wrong)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    }
    for (const password of ['elevenchars', '1qaz2wsx3edc', 'Cellarman2026', 'mara@example.com'])
      expect(await setUp(token, { password }), password).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      });
    expect(await service.anonymous.call('GET', SET_UP)).toMatchObject({ body: { isNeeded: true } });
    expect(await setUp(token)).toMatchObject({ status: 201 });
  });

  test('that is started again logs another token; one that has expired is rejected', async () => {
    await service.pool.query(`UPDATE set_up_tokens SET expires_at = now()`);
    const replica = await service.startReplica();
    await replica.stop();
    const [expired = '', fresh = ''] = loggedTokens();
    expect(fresh).not.toBe(expired);
    expect(await setUp(expired)).toMatchObject({ status: 401 });
    expect(await setUp(fresh)).toMatchObject({ status: 201 });
  });
});

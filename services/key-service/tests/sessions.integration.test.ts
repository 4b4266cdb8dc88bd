import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSessions } from '../src/sessions/sessions.ts';
import { createSignInThrottle } from '../src/sessions/sign-in-throttle.ts';
import { createApiClient } from './api-client.ts';
import { ADMIN, startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startServiceUnderTest({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => service.stop());

const SIGN_IN = '/api/v1/session';
/** Each test comes from an address of its own, so that their attempts do not add up. */
let address = '';
let tests = 0;
beforeEach(() => {
  tests += 1;
  address = `203.0.113.${tests}`;
});

const attempt = (fields: object = {}, from = address) =>
  service.anonymous.call('POST', SIGN_IN, { ...ADMIN, ...fields }, { 'x-forwarded-for': from });

describe('signing in', () => {
  test('opens a session, whose id no script in the page can read and no other site can use', async () => {
    const answer = await attempt();
    expect(answer).toMatchObject({ status: 201, body: { administrator: { email: ADMIN.email } } });
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^cellarman-session=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('needs HTTPS everywhere but on this machine', async () => {
    const setCookie = await new Promise<string>((resolve, reject) => {
      const body = JSON.stringify(ADMIN);
      const headers = {
        host: 'cellarman.example.com',
        'content-type': 'application/json',
        'content-length': body.length,
        'x-forwarded-for': address,
      };
      httpRequest(`${service.url}${SIGN_IN}`, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(String(response.headers['set-cookie']));
      })
        .on('error', reject)
        .end(body);
    });
    expect(setCookie).toMatch(/^__Host-cellarman-session=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
  });

  test('takes the address in any case', async () => {
    expect(await attempt({ email: ADMIN.email.toUpperCase() })).toMatchObject({ status: 201 });
  });

  test.each([
    ['a wrong password', { password: 'wrong' }],
    ['an unknown address', { email: 'nobody@example.com' }],
    ['an address that no text column can hold', { email: 'nobody\u0000@example.com' }],
  ])('%s is refused in the same words', async (_case, fields) => {
    const { status, body } = await attempt(fields);
    if (status === 400) expect(body).toMatchObject({ code: 'invalid_request' });
    else expect([status, body]).toEqual([401, UNAUTHENTICATED]);
  });

  test.each([
    ['a number as password', { password: 7 }],
    ['an unknown field', { remember: true }],
    ['no address', { email: undefined }],
  ])('%s is not the documented shape', async (_case, fields) => {
    expect(await attempt(fields)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  test('after five failures the pair of account and address has to wait, another address has not', async () => {
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push((await attempt({ password: 'wrong' })).status);
    expect(answers).toEqual([401, 401, 401, 401, 401, 429]);

    const refused = await attempt();
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
    expect(await attempt({}, '203.0.113.200')).toMatchObject({ status: 201 });
  });

  test('attempts at the same time gain nothing', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => attempt({ password: 'wrong' })));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  });

  test('a network that tries many accounts has to wait, and so has an account that many try', async () => {
    const prefix = `${service.redisPrefix}many:`;
    const throttle = createSignInThrottle({ redis: service.redis, prefix });
    const tooMany = { code: 'rate_limited' };
    for (let i = 0; i < 50; i++) await throttle.take(`guess-${i}`, `2001:db8:7:7::${i.toString(16)}`);
    await expect(throttle.take('guess-50', '2001:db8:7:7:ffff::1')).rejects.toMatchObject(tooMany);
    await throttle.take('guess-50', '2001:db8:7:8::1');

    for (let i = 0; i < 100; i++) await throttle.take('owner', `198.51.100.${i}`);
    await expect(throttle.take('OWNER', '198.51.100.200')).rejects.toMatchObject(tooMany);
    await throttle.giveBack('owner', '198.51.100.0');
    await throttle.take('owner', '198.51.100.200');
  });

  test('a right password forgets the failures before it', async () => {
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 4; i++) expect((await attempt({ password: 'wrong' })).status).toBe(401);
      expect((await attempt()).status).toBe(201);
    }
  });

  test('ends the session that the browser had', async () => {
    const browser = await createApiClient(service.url);
    const first = await browser.signIn(ADMIN.email, ADMIN.password);
    const before = first.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    await browser.signIn(ADMIN.email, ADMIN.password);
    expect(await browser.call('GET', SIGN_IN)).toMatchObject({ status: 200 });
    expect(await service.anonymous.call('GET', SIGN_IN, undefined, { cookie: before })).toMatchObject({
      status: 401,
    });
  });
});

describe('a session', () => {
  test('shows who is signed in, and ends with signing out', async () => {
    const browser = await createApiClient(service.url);
    await browser.signIn(ADMIN.email, ADMIN.password);
    expect(await browser.call('GET', SIGN_IN)).toMatchObject({
      status: 200,
      body: { administrator: { email: ADMIN.email } },
    });
    const out = await browser.call('DELETE', SIGN_IN);
    expect(out.status).toBe(204);
    expect(out.headers.getSetCookie()[0]).toMatch(/^cellarman-session=; .*Expires=Thu, 01 Jan 1970/);
    expect(await browser.call('GET', SIGN_IN)).toMatchObject({ status: 401, body: UNAUTHENTICATED_SESSION });
    expect(await browser.call('DELETE', SIGN_IN)).toMatchObject({ status: 204 });
  });

  test('is in Redis under a hash only, which opens nothing', async () => {
    const browser = await createApiClient(service.url);
    const signedIn = await browser.signIn(ADMIN.email, ADMIN.password);
    const id = /=([\w-]+);/.exec(signedIn.headers.getSetCookie()[0] ?? '')?.[1] ?? '';
    const names = await service.redis.keys(`${service.redisPrefix}session:*`);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      expect(`${name} ${String(await service.redis.get(name))}`).not.toContain(id);
      const cookie = `cellarman-session=${name.slice(`${service.redisPrefix}session:`.length)}`;
      expect(await service.anonymous.call('GET', SIGN_IN, undefined, { cookie })).toMatchObject({
        status: 401,
      });
    }
  });

  test('ends after a while without requests, and after its longest time in any case', async () => {
    let now = Date.now();
    const sessions = createSessions({
      redis: service.redis,
      prefix: `${service.redisPrefix}times:`,
      idleSeconds: 60,
      maxSeconds: 300,
      now: () => now,
    });
    const administrator = { id: '1', email: ADMIN.email };
    const idle = await sessions.open(administrator);
    const [name = ''] = await service.redis.keys(`${service.redisPrefix}times:session:*`);
    expect(await service.redis.pttl(name)).toBeLessThanOrEqual(60_000);
    expect(await service.redis.pttl(name)).toBeGreaterThan(50_000);

    // Use makes it live on, but not longer than to its end.
    now += 270_000;
    expect(await sessions.find(idle.id)).toMatchObject({ administrator });
    const left = idle.session.endsAt - Date.now();
    expect(Math.abs((await service.redis.pttl(name)) - left)).toBeLessThan(5_000);
    now += 30_000;
    expect(await sessions.find(idle.id)).toBeUndefined();
  });

  test.each([
    ['GET', '/api/v1/session'],
    ['GET', '/api/v1/cellars'],
    ['POST', '/api/v1/cellars'],
    ['GET', '/api/v1/cellars/demo'],
    ['PATCH', '/api/v1/cellars/demo'],
    ['POST', '/api/v1/cellars/demo/archive'],
    ['GET', '/api/v1/cellars/demo/keys'],
    ['POST', '/api/v1/cellars/demo/keys'],
    ['GET', '/api/v1/cellars/demo/keys/9c2b8a52-0000-4000-8000-000000000000'],
    ['PATCH', '/api/v1/cellars/demo/keys/9c2b8a52-0000-4000-8000-000000000000'],
    ['POST', '/api/v1/cellars/demo/keys/9c2b8a52-0000-4000-8000-000000000000/revoke'],
    ['POST', '/api/v1/cellars/demo/keys/9c2b8a52-0000-4000-8000-000000000000/rotate'],
    ['GET', '/api/v1/cellars/demo/audit'],
    ['GET', '/api/v1/audit'],
  ])('is needed for %s %s', async (method, path) => {
    expect(await service.anonymous.call(method, path)).toMatchObject({
      status: 401,
      body: UNAUTHENTICATED_SESSION,
    });
  });
});

describe('a page of another site', () => {
  const body = { name: 'from-elsewhere' };
  test.each([
    ['by its fetch metadata', { 'sec-fetch-site': 'cross-site' }],
    ['as a sister under the same domain', { 'sec-fetch-site': 'same-site' }],
    ['by its origin', { origin: 'https://evil.example.com' }],
    ['without a readable origin', { origin: 'null' }],
  ])('can change nothing: it is known %s', async (_how, headers) => {
    expect(await service.admin.call('POST', '/api/v1/cellars', body, headers)).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    expect(await service.admin.call('DELETE', SIGN_IN, undefined, headers)).toMatchObject({ status: 403 });
    expect(await service.admin.call('GET', '/api/v1/cellars/from-elsewhere')).toMatchObject({ status: 404 });
  });

  test('cannot send a form', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const answer = await service.admin.call('POST', '/api/v1/cellars', JSON.stringify(body), {
        'content-type': type,
      });
      expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
    }
  });

  test('is not our own page', async () => {
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: service.url }]) {
      const answer = await service.admin.call('POST', '/api/v1/cellars', { name: '-' }, headers);
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
  });
});

const UNAUTHENTICATED = {
  status: 'error',
  error: 'The address or the password is wrong.',
  code: 'unauthenticated',
};
const UNAUTHENTICATED_SESSION = { status: 'error', error: 'Nobody is signed in.', code: 'unauthenticated' };

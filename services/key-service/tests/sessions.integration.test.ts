import { createHash, randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { SESSION_LOOKUP_PATH } from '@cellarman/contracts';
import { createLogger } from '@cellarman/telemetry';
import type { QueryResultRow } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { createAuditSignIns } from '../src/sessions/audit-sign-ins.ts';
import { createSignInThrottle } from '../src/sessions/sign-in-throttle.ts';
import { createApiClient } from './api-client.ts';
import { createRedisSnapshots } from './redis-snapshots.ts';
import { ADMIN, INTERNAL_TOKEN, startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';
import { createTestDatabase } from './test-database.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startServiceUnderTest({
    TRUSTED_PROXIES: '127.0.0.1',
    SESSION_IDLE_SECONDS: String(IDLE_SECONDS),
    SESSION_MAX_SECONDS: String(MAX_SECONDS),
  });
});
afterAll(() => service.stop());

const SIGN_IN = '/api/v1/session';
const IDLE_SECONDS = 1_800;
const MAX_SECONDS = 43_200;
/** Each test uses an IP address of its own, so that their attempts do not add up. */
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
    expect(answer).toMatchObject({ status: 201, body: { user: { email: ADMIN.email } } });
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

  test('takes the email in any case', async () => {
    expect(await attempt({ email: ADMIN.email.toUpperCase() })).toMatchObject({ status: 201 });
  });

  test.each([
    ['a wrong password', { password: 'wrong' }],
    ['an unknown address', { email: 'nobody@example.com' }],
    ['an address that no text column can hold', { email: 'nobody\u0000@example.com' }],
  ])('%s is rejected in the same words', async (_case, fields) => {
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

  test('after five failures the pair of account and IP address has to wait, another IP address has not', async () => {
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push((await attempt({ password: 'wrong' })).status);
    expect(answers).toEqual([401, 401, 401, 401, 401, 429]);

    const rejected = await attempt();
    expect(rejected).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(800);
    expect(await attempt({}, '203.0.113.200')).toMatchObject({ status: 201 });
  });

  test('a failed sign-in is logged with the account, but never with a text that names none', async () => {
    const text = `a-password-${randomBytes(6).toString('hex')}`;
    await attempt({ email: text, password: 'wrong' }, '203.0.113.77');
    await attempt({ password: 'wrong' }, '203.0.113.77');
    const lines = service.log.filter((line) => line.includes('203.0.113.77')).join();
    expect(lines).toContain(`"account":"${ADMIN.email}"`);
    expect(service.log.join()).not.toContain(text);
  });

  test('spellings of an email that PostgreSQL considers equal count as one', async () => {
    // As most servers are set up: U+0130 becomes an i, which JavaScript would not do.
    const database = await createTestDatabase(
      inject('engines').databaseUrl,
      `TEMPLATE template0 LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8'`,
    );
    const replica = await service.startReplica({
      DATABASE_URL: database.url,
      REDIS_PREFIX: `${service.redisPrefix}spelling:`,
    });
    try {
      const client = await createApiClient(replica.url);
      const email = ADMIN.email.replace('i', '\u0130');
      const statusOf = async (fields: object, from = address) => {
        const headers = { 'x-forwarded-for': from };
        return (await client.call('POST', SIGN_IN, { ...ADMIN, ...fields }, headers)).status;
      };
      expect(await statusOf({ email }, '203.0.113.201')).toBe(201);
      for (let i = 0; i < 5; i++) expect(await statusOf({ email, password: 'wrong' })).toBe(401);
      const spellings = [email, ADMIN.email, ADMIN.email.toUpperCase()];
      expect(await Promise.all(spellings.map((each) => statusOf({ email: each })))).toEqual([429, 429, 429]);
    } finally {
      await replica.stop();
      await database.stop();
    }
  });

  test('attempts at the same time gain nothing', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => attempt({ password: 'wrong' })));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  });

  test('a network that tries many accounts has to wait, and so has an account tried from many networks', async () => {
    const prefix = `${service.redisPrefix}many:`;
    const throttle = createSignInThrottle({ redis: service.redis, prefix });
    const tooMany = { code: 'rate_limited' };
    for (let i = 0; i < 50; i++) await throttle.take(`guess-${i}`, `2001:db8:7:7::${i.toString(16)}`);
    await expect(throttle.take('guess-50', '2001:db8:7:7:ffff::1')).rejects.toMatchObject(tooMany);
    await throttle.take('guess-50', '2001:db8:7:8::1');

    // A whole /48, with a new /64 for each attempt.
    for (let i = 0; i < 200; i++) await throttle.take(`site-${i}`, `2001:db8:9:${(i * 256).toString(16)}::1`);
    await expect(throttle.take('site-200', '2001:db8:9:ffff::1')).rejects.toMatchObject(tooMany);
    await throttle.take('site-200', '2001:db8:a::1');

    for (let i = 0; i < 100; i++) await throttle.take('owner', `198.51.100.${i}`);
    await expect(throttle.take('owner', '198.51.100.200')).rejects.toMatchObject(tooMany);
    await throttle.giveBack('owner', '198.51.100.0');
    await throttle.take('owner', '198.51.100.200');
  });

  test('behind a proxy that nobody has named, wrong passwords shut out one account and not all of them', async () => {
    const replica = await service.startReplica({ TRUSTED_PROXIES: '' });
    const attempt = (email: string, from: string) =>
      fetch(replica.url + SIGN_IN, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
        body: JSON.stringify({ email, password: 'wrong' }),
      }).then(({ status }) => status);
    // The network that all of them share would be full after 50.
    for (let i = 0; i < 51; i++) expect(await attempt(`unnamed-${i}@example.com`, '203.0.113.66')).toBe(401);
    for (let i = 0; i < 5; i++) expect(await attempt('unnamed@example.com', '203.0.113.66')).toBe(401);
    expect(await attempt('unnamed@example.com', '203.0.113.66')).toBe(429);
    expect(await attempt('unnamed@example.com', '203.0.113.67')).toBe(401);
    await replica.stop();
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

describe('in the audit', () => {
  // Entries are written after the response.
  const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000, interval: 100 });
  const audited = async (from = address) => {
    const { rows } = await service.pool.query<{ actor: string; action: string; details: object }>(
      `SELECT actor, action, details FROM audit WHERE address = $1 AND action LIKE 'sign_in.%' ORDER BY id`,
      [from],
    );
    return rows;
  };
  const actor = 'key-service';
  const failed = { actor, action: 'sign_in.failed', details: { email: ADMIN.email } };

  test('failures of an account and IP address are one entry, and so is their lock-out', async () => {
    const text = `a-password-${randomBytes(6).toString('hex')}`;
    for (let i = 0; i < 6; i++) await attempt({ email: text, password: 'wrong' });
    for (let i = 0; i < 7; i++) await attempt({ password: 'wrong' });
    const details = { limit: 'account_and_address', email: ADMIN.email };
    const locked = { actor, action: 'sign_in.locked', details };
    await eventually(async () => expect(await audited()).toEqual([failed, locked]));

    const other = '203.0.113.210';
    await attempt({}, address);
    await attempt({ password: 'wrong' }, other);
    await eventually(async () => expect(await audited(other)).toEqual([failed]));
    expect(await audited()).toEqual([failed, locked]);
    const { rows } = await service.pool.query<{ row: string }>(`SELECT audit::text AS row FROM audit`);
    expect(rows.map(({ row }) => row).join()).not.toContain(text);
    expect(await service.admin.call('GET', '/api/v1/audit?action=sign_in.locked&limit=1')).toMatchObject({
      status: 200,
      body: { entries: [{ actorType: 'service', address, details }] },
    });
  });

  test('a lock-out of a network or of an account says so', async () => {
    const throttle = createSignInThrottle({ redis: service.redis, prefix: service.redisPrefix });
    for (let i = 0; i < 50; i++) await throttle.take(`guess-${i}`, '2001:db8:17:7::1');
    const from = '2001:db8:17:7::2';
    for (let i = 0; i < 2; i++)
      expect(await attempt({ email: 'nobody@example.com' }, from)).toMatchObject({ status: 429 });
    const network = { limit: 'network', network: '2001:db8:17:7::/64' };
    await eventually(async () =>
      expect(await audited(from)).toEqual([{ actor, action: 'sign_in.locked', details: network }]),
    );

    const email = 'locked@example.com';
    await service.pool.query(
      `INSERT INTO administrators (email, password_hash, role) VALUES ($1, 'none', 'member')`,
      [email],
    );
    for (let i = 0; i < 100; i++) await throttle.take(email, `198.18.0.${i}`);
    expect(await attempt({ email })).toMatchObject({ status: 429 });
    await eventually(async () =>
      expect(await audited()).toEqual([
        { actor, action: 'sign_in.locked', details: { limit: 'account', email } },
      ]),
    );
  });

  test('a flood fills an hourly limit, after which the log alone has the events', async () => {
    const log: string[] = [];
    const auditSignIns = createAuditSignIns({
      database: {
        async query<Row extends QueryResultRow>(sql: string, values: readonly unknown[] = []) {
          return (await service.pool.query<Row>(sql, [...values])).rows;
        },
      },
      redis: service.redis,
      prefix: `${service.redisPrefix}flood:`,
      logger: createLogger(
        { service: 'key-service', version: '0', level: 'info' },
        { write: (line) => void log.push(line) },
      ),
      maxPerHour: 2,
    });
    for (let i = 0; i < 5; i++) auditSignIns.failed(`flood-${i}@example.com`, address);
    await eventually(() => expect(log).toHaveLength(3));
    expect(log.join()).toContain('flood-4@example.com');
    auditSignIns.lockedOut(
      { limit: 'network', network: address, counter: 'x', seconds: 9 },
      undefined,
      address,
    );
    await eventually(async () =>
      expect((await audited()).map(({ action }) => action).toSorted()).toEqual([
        'sign_in.failed',
        'sign_in.failed',
        'sign_in.locked',
      ]),
    );
  });

  test('an entry that cannot be written is logged, keeps no sign-in waiting and is written later', async () => {
    const lock = await service.pool.connect();
    await lock.query('BEGIN; LOCK TABLE audit IN ACCESS EXCLUSIVE MODE');
    const isLogged = () =>
      service.log.some(
        (line) => line.includes('could not store a sign-in event') && line.includes(`"${address}"`),
      );
    try {
      expect(await attempt({ password: 'wrong' })).toMatchObject({ status: 401 });
      expect(isLogged()).toBe(false);
      await eventually(() => expect(isLogged()).toBe(true));
    } finally {
      await lock.query('ROLLBACK');
      lock.release();
    }
    await eventually(async () => {
      await attempt({ password: 'wrong' });
      expect(await audited()).toContainEqual(failed);
    });
  });
});

/** A browser of its own, with the id in its cookie and what is stored of that. */
async function signedIn() {
  const browser = await createApiClient(service.url);
  const answer = await browser.signIn(ADMIN.email, ADMIN.password);
  const id = /=([\w-]+);/.exec(answer.headers.getSetCookie()[0] ?? '')?.[1] ?? '';
  return { browser, id, hash: createHash('sha256').update(id).digest() };
}
const cookieOf = (id: string) => ({ cookie: `cellarman-session=${id}` });

describe('a session', () => {
  test('shows who is signed in, and ends with signing out', async () => {
    const browser = await createApiClient(service.url);
    await browser.signIn(ADMIN.email, ADMIN.password);
    expect(await browser.call('GET', SIGN_IN)).toMatchObject({
      status: 200,
      body: { user: { email: ADMIN.email } },
    });
    const out = await browser.call('DELETE', SIGN_IN);
    expect(out.status).toBe(204);
    expect(out.headers.getSetCookie()[0]).toMatch(/^cellarman-session=; .*Expires=Thu, 01 Jan 1970/);
    expect(await browser.call('GET', SIGN_IN)).toMatchObject({ status: 401, body: UNAUTHENTICATED_SESSION });
    expect(await browser.call('DELETE', SIGN_IN)).toMatchObject({ status: 204 });
  });

  test('is in PostgreSQL under a hash only, which opens nothing, and nowhere in Redis', async () => {
    const { browser, id } = await signedIn();
    const { rows } = await service.pool.query<{ hash: string; row: string }>(
      `SELECT encode(hash, 'hex') AS hash, to_jsonb(sessions)::text AS row FROM sessions`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { hash, row } of rows) {
      expect(row).not.toContain(id);
      const forged = Buffer.from(hash, 'hex').toString('base64url');
      expect(await service.anonymous.call('GET', SIGN_IN, undefined, cookieOf(forged))).toMatchObject({
        status: 401,
      });
    }
    expect(await service.redis.keys(`${service.redisPrefix}session*`)).toEqual([]);
    expect(await browser.call('GET', SIGN_IN)).toMatchObject({ status: 200 });
  });

  test('that was signed out stays so, whatever Redis is put back to', async () => {
    const { browser, id } = await signedIn();
    const names = await service.redis.keys(`${service.redisPrefix}*`);
    const snapshots = createRedisSnapshots(service.redis, names);
    await snapshots.take();
    expect(await browser.call('DELETE', SIGN_IN)).toMatchObject({ status: 204 });
    await snapshots.restore();
    expect(await service.anonymous.call('GET', SIGN_IN, undefined, cookieOf(id))).toMatchObject({
      status: 401,
    });
  });

  test('goes on while Redis is empty, and ends when the database is another', async () => {
    const { browser, hash } = await signedIn();
    const names = await service.redis.keys(`${service.redisPrefix}*`);
    await createRedisSnapshots(service.redis, names).flush();
    expect(await browser.call('GET', SIGN_IN)).toMatchObject({ status: 200 });

    await service.pool.query(`UPDATE sessions SET epoch = 'the one before' WHERE hash = $1`, [hash]);
    expect(await browser.call('GET', SIGN_IN)).toMatchObject({ status: 401 });
  });

  test('ends after a while without requests, and after its longest time in any case', async () => {
    const { browser, hash } = await signedIn();
    /** As if its times had come nearer, without waiting for them. */
    const pass = (column: 'used_at' | 'ends_at', seconds: number) =>
      service.pool.query(
        `UPDATE sessions SET ${column} = ${column} - make_interval(secs => $2) WHERE hash = $1`,
        [hash, seconds],
      );
    const isSignedIn = async () => (await browser.call('GET', SIGN_IN)).status === 200;

    // Use makes it live on.
    await pass('used_at', IDLE_SECONDS - 60);
    expect(await isSignedIn()).toBe(true);
    await pass('used_at', IDLE_SECONDS - 60);
    expect(await isSignedIn()).toBe(true);
    await pass('used_at', IDLE_SECONDS);
    expect(await isSignedIn()).toBe(false);

    await service.pool.query(`UPDATE sessions SET used_at = now() WHERE hash = $1`, [hash]);
    expect(await isSignedIn()).toBe(true);
    await pass('ends_at', MAX_SECONDS);
    expect(await isSignedIn()).toBe(false);
    // The next to sign in clears it away.
    await signedIn();
    expect((await service.pool.query(`SELECT FROM sessions WHERE hash = $1`, [hash])).rowCount).toBe(0);
  });

  test('is not prolonged by the polls of a page that is left open, whichever service gets them', async () => {
    const { browser, id, hash } = await signedIn();
    const background = { 'x-cellarman-background': '1' };
    const usedAt = async () => {
      const { rows } = await service.pool.query<{ used_at: Date }>(
        `SELECT used_at FROM sessions WHERE hash = $1`,
        [hash],
      );
      return rows[0]?.used_at.getTime();
    };
    const authorization = `Bearer ${INTERNAL_TOKEN}`;
    const lookUp = (headers: Record<string, string>) =>
      service.anonymous.call('POST', SESSION_LOOKUP_PATH, { id }, { authorization, ...headers });
    await service.pool.query(
      `UPDATE sessions SET used_at = used_at - make_interval(secs => $2) WHERE hash = $1`,
      [hash, IDLE_SECONDS - 60],
    );
    const before = await usedAt();
    expect(await browser.call('GET', SIGN_IN, undefined, background)).toMatchObject({ status: 200 });
    expect(await lookUp(background)).toMatchObject({
      status: 200,
      body: { session: expect.anything() as object },
    });
    expect(await usedAt()).toBe(before);
    expect(await lookUp({})).toMatchObject({ status: 200 });
    expect(await usedAt()).toBeGreaterThan(before ?? Infinity);
  });

  test('is found among many forged ones that come at the same time', async () => {
    const { id } = await signedIn();
    const ids = Array.from({ length: 300 }, (_, i) =>
      i % 100 === 50 ? id : randomBytes(32).toString('base64url'),
    );
    const answers = await Promise.all(
      ids.map((each) => service.anonymous.call('GET', SIGN_IN, undefined, cookieOf(each))),
    );
    expect(answers.map(({ status }) => status)).toEqual(ids.map((each) => (each === id ? 200 : 401)));
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
    const rejected = await service.admin.call('POST', '/api/v1/cellars', body, headers);
    expect(rejected).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(rejected.headers.get('access-control-allow-origin')).toBeNull();
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
  error: 'Wrong email or password',
  code: 'unauthenticated',
};
const UNAUTHENTICATED_SESSION = { status: 'error', error: 'Not signed in', code: 'unauthenticated' };

import { generateClaimCode } from '@cellarman/api-key';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

/* People who are not signed in cannot take from an owner what revocation needs. */

let service: ServiceUnderTest;
const agent = new Agent({ connections: 400 });

beforeAll(async () => {
  service = await startServiceUnderTest({ TRUSTED_PROXIES: '127.0.0.1' });
  await service.admin.call('POST', '/api/v1/cellars', { name: 'flooded' });
});
afterAll(async () => {
  await agent.destroy();
  await service.stop();
});

async function post(path: string, from: string, body: object): Promise<number> {
  const { statusCode, body: answer } = await request(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify(body),
    dispatcher: agent,
  });
  await answer.dump();
  return statusCode;
}

/** An IP address in a network of its own for each number. */
const address = (client: number) => `10.0.${client >> 8}.${client & 255}`;

async function createKey(): Promise<string> {
  const made = await service.admin.call<{ key: { id: string } }>('POST', '/api/v1/cellars/flooded/keys', {
    name: 'device',
  });
  expect(made.status).toBe(201);
  return made.body.key.id;
}

async function revoke(id: string): Promise<void> {
  const answer = await service.admin.call('POST', `/api/v1/cellars/flooded/keys/${id}/revoke`);
  expect(answer.body).toMatchObject({ revokedAt: expect.any(String) as string });
  expect(answer.status).toBe(200);
}

const token = (client: number) => String(client).padStart(43, 'x');

test('300 clients wait for a table that is locked, and an owner revokes a key meanwhile', async () => {
  const id = await createKey();
  const lock = await service.pool.connect();
  await lock.query('BEGIN; LOCK TABLE invitations IN ACCESS EXCLUSIVE MODE');
  const flood = Array.from({ length: 300 }, (_, client) =>
    post(client % 2 === 0 ? '/api/v1/join/lookup' : '/api/v1/join', address(client), {
      token: token(client),
      ...(client % 2 === 0 ? {} : { password: 'correct horse battery staple' }),
    }),
  );
  try {
    await vi.waitFor(async () => {
      const { rows } = await service.pool.query<{ blocked: boolean }>(
        `SELECT count(*) > 0 AS blocked FROM pg_stat_activity
         WHERE wait_event_type = 'Lock' AND query LIKE '%invitations%' AND datname = current_database()`,
      );
      expect(rows[0]?.blocked).toBe(true);
    }, 20_000);
    await revoke(id);
  } finally {
    await lock.query('ROLLBACK');
    lock.release();
  }
  const answers = await Promise.all(flood);
  expect([404, 503]).toEqual(expect.arrayContaining([...new Set(answers)]));
});

test('300 devices claim keys while their codes are locked, and an owner revokes a key meanwhile', async () => {
  const id = await createKey();
  const { body } = await service.admin.call<{ secret: string }>(
    'POST',
    '/api/v1/cellars/flooded/claim-codes',
    { name: 'devices', maxKeys: 1_000, expiresAt: new Date(Date.now() + 86_400_000).toISOString() },
  );
  const lock = await service.pool.connect();
  await lock.query('BEGIN; LOCK TABLE claim_codes IN EXCLUSIVE MODE');
  const flood = Array.from({ length: 300 }, (_, client) =>
    post('/api/v1/claims', address(client), {
      claimCode: client % 2 === 0 ? body.secret : generateClaimCode(),
      rack: `rack-${client}`,
      deviceSecret: token(client),
    }),
  );
  try {
    await vi.waitFor(async () => {
      const { rows } = await service.pool.query<{ blocked: boolean }>(
        `SELECT count(*) > 0 AS blocked FROM pg_stat_activity
         WHERE wait_event_type = 'Lock' AND query LIKE '%claim_codes%' AND datname = current_database()`,
      );
      expect(rows[0]?.blocked).toBe(true);
    }, 20_000);
    await revoke(id);
  } finally {
    await lock.query('ROLLBACK');
    lock.release();
  }
  const answers = await Promise.all(flood);
  expect([201, 401, 503]).toEqual(expect.arrayContaining([...new Set(answers)]));
});

test('300 clients sign in and look up invitations again and again, and an owner revokes keys meanwhile', async () => {
  const ids = await Promise.all(Array.from({ length: 3 }, createKey));
  let isOver = false;
  const answers = new Set<number>();
  const flood = Array.from({ length: 300 }, async (_, client) => {
    for (let round = 0; round < 20 && !isOver; round++) {
      answers.add(
        client % 3 === 0
          ? await post('/api/v1/session', address(client), {
              email: `nobody-${client}-${round}@x.org`,
              password: 'guess',
            })
          : await post('/api/v1/join/lookup', address(client), { token: token(client) }),
      );
    }
  });
  try {
    await vi.waitFor(() => expect(answers.size).toBeGreaterThan(1), { timeout: 20_000 });
    for (const id of ids) await revoke(id);
  } finally {
    isOver = true;
  }
  await Promise.all(flood);
  expect([401, 404, 503]).toEqual(expect.arrayContaining([...answers]));
});

describe('one network', () => {
  test('is limited before any query, and others are not', async () => {
    const before = await statements();
    const one = await Promise.all(
      Array.from({ length: 300 }, () => post('/api/v1/join/lookup', '192.0.2.1', { token: token(0) })),
    );
    const limited = one.filter((status) => status === 429).length;
    expect(limited).toBeGreaterThan(50);
    expect(one.filter((status) => status === 404).length).toBeGreaterThanOrEqual(200);
    expect(await post('/api/v1/join/lookup', '192.0.2.2', { token: token(0) })).toBe(404);
    // One for each of the others at most, and some of what runs in the background.
    expect((await statements()) - before).toBeLessThan(one.length - limited / 2);
  });

  test('cannot keep the others from having their password checked', async () => {
    const flood = Array.from({ length: 120 }, (_, guess) =>
      post('/api/v1/session', `2001:db8:1:${guess % 4}00::1`, {
        email: `nobody-${guess}@example.com`,
        password: 'guess',
      }),
    );
    // The first 503 says that the queue is full.
    await Promise.any(flood.map(async (status) => expect(await status).toBe(503)));
    expect(await post('/api/v1/session', '192.0.2.4', { email: 'nobody@example.com', password: 'x' })).toBe(
      401,
    );
    expect(new Set(await Promise.all(flood))).toEqual(new Set([401, 503]));
  });
});

/** Queries on invitations so far, as PostgreSQL counts scans of the table. */
async function statements(): Promise<number> {
  const { rows } = await service.pool.query<{ scans: string }>(
    `SELECT pg_stat_clear_snapshot(), (SELECT coalesce(seq_scan, 0) + coalesce(idx_scan, 0) FROM pg_stat_user_tables WHERE relname = 'invitations') AS scans`,
  );
  return Number(rows[0]?.scans ?? 0);
}

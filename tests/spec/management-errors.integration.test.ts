import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import pg from 'pg';
import { askManagement, signIn } from './client/owner.ts';
import type { Owner } from './client/owner.ts';
import { requirement } from './requirements/requirement.ts';

let owner: Owner;

beforeAll(async () => {
  owner = await signIn();
});

const rejection = (status: number, code: string) => ({
  status,
  body: { status: 'error', error: expect.any(String) as string, code },
});

test(requirement('code.unauthenticated', 'nobody is signed in'), async () => {
  expect(await askManagement('GET', '/api/v1/cellars')).toMatchObject(rejection(401, 'unauthenticated'));
});

test(requirement('code.forbidden', 'a request that a page of another site sends'), async () => {
  const foreign = { origin: 'https://example.org', 'sec-fetch-site': 'cross-site' };
  const answer = await owner.ask('POST', '/api/v1/cellars', { name: 'stolen' }, foreign);
  expect(answer).toMatchObject(rejection(403, 'forbidden'));
});

test(requirement('code.password_required', 'a service token, long after the sign-in'), async () => {
  const earlier = await signIn();
  const database = new pg.Client(inject('product').databaseUrl);
  await database.connect();
  try {
    await database.query(
      `UPDATE sessions SET created_at = created_at - interval '10 minutes'
       WHERE created_at = (SELECT max(created_at) FROM sessions)`,
    );
  } finally {
    await database.end();
  }
  const answer = await earlier.ask('POST', '/api/v1/tokens', { name: 'stolen', role: 'owner' });
  expect(answer).toMatchObject(rejection(403, 'password_required'));
});

test(requirement('code.conflict', 'a name that is taken'), async () => {
  const { name } = await owner.openCellar();
  expect(await owner.ask('POST', '/api/v1/cellars', { name })).toMatchObject(rejection(409, 'conflict'));
});

describe('a claim', () => {
  const claim = (claimCode: unknown, rack: string) =>
    askManagement('POST', '/api/v1/claims', {
      ...{ claimCode, rack },
      deviceSecret: randomBytes(32).toString('hex'),
    });
  let code: unknown;

  beforeAll(async () => {
    const { name: cellar } = await owner.openCellar();
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const made = await owner.ask('POST', `/api/v1/cellars/${cellar}/claim-codes`, {
      ...{ name: 'one device', maxKeys: 1, expiresAt },
    });
    code = made.body['secret'];
    expect(await claim(code, 'first')).toMatchObject({ status: 201 });
  });

  test(requirement('code.rack_claimed', 'of another device for a rack that has a key'), async () => {
    expect(await claim(code, 'first')).toMatchObject(rejection(409, 'rack_claimed'));
  });

  test(requirement('code.claim_code_used_up', 'when all keys are claimed'), async () => {
    expect(await claim(code, 'second')).toMatchObject(rejection(403, 'claim_code_used_up'));
  });

  test(requirement('code.invalid_claim_code', 'with a code that nobody made'), async () => {
    const unknown = String(code).replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    expect(await claim(unknown, 'second')).toMatchObject(rejection(401, 'invalid_claim_code'));
  });
});

test(requirement('code.invalid_request', 'a body without the documented shape'), async () => {
  for (const body of [
    { name: 7 },
    { name: 'a b' },
    { name: 'ok', retentionDays: '7' },
    { name: 'ok', extra: 1 },
  ]) {
    expect(await owner.ask('POST', '/api/v1/cellars', body)).toMatchObject(rejection(400, 'invalid_request'));
  }
});

test(requirement('code.internal_error', 'an internal error does not reveal its cause'), async () => {
  const name = `spec-${randomBytes(6).toString('hex')}`;
  const database = new pg.Client(inject('product').databaseUrl);
  await database.connect();
  try {
    await database.query(`ALTER TABLE cellars ADD CONSTRAINT "${name}" CHECK (name <> '${name}')`);
    const answer = await owner.ask('POST', '/api/v1/cellars', { name });
    expect(answer).toMatchObject(rejection(500, 'internal_error'));
    expect(JSON.stringify(answer.body)).not.toMatch(/constraint|violates|cellars/i);
  } finally {
    await database.query(`ALTER TABLE cellars DROP CONSTRAINT IF EXISTS "${name}"`);
    await database.end();
  }
});

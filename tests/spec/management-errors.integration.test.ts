import { randomBytes } from 'node:crypto';
import { beforeAll, expect, inject, test } from 'vitest';
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

test(requirement('code.internal_error', 'a fault of the service does not tell what it is'), async () => {
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

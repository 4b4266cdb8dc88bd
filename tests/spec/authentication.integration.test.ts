import { generateApiKey } from '@cellarman/api-key';
import { beforeAll, expect, test, vi } from 'vitest';
import { signIn } from './client/owner.ts';
import type { Owner, Cellar } from './client/owner.ts';
import { send } from './client/ingest.ts';
import type { Answer } from './client/ingest.ts';
import { readingOf } from './client/reading.ts';
import { requirement } from './requirements/requirement.ts';

const INVALID = { error: 'Invalid API key', status: 401 };
const EXPIRED = { error: 'API key has expired', status: 401 };
const ABSENT = { error: 'API key is required', status: 401 };

let owner: Owner;
let cellar: Cellar;

beforeAll(async () => {
  owner = await signIn();
  cellar = await owner.openCellar();
});

const sendWith = (apiKey: string | undefined): Promise<Answer> =>
  send(JSON.stringify(readingOf(cellar.name)), { apiKey });

/** Until all of ingest has heard of a change of the key. */
const waitForAnswer = (apiKey: string, body: object): Promise<void> =>
  vi.waitFor(async () => expect((await sendWith(apiKey)).body).toMatchObject(body), { timeout: 30_000 });

test(
  requirement(
    ['auth.every-request', 'service.authenticated', 'ingest.key-header', 'key.active'],
    'a key lets a reading in, and not only the first',
  ),
  async () => {
    const { secret } = await cellar.createKey();
    expect((await sendWith(secret)).status).toBe(200);
    expect((await sendWith(secret)).status).toBe(200);
    expect((await sendWith(undefined)).status).toBe(401);
  },
);

test(requirement(['auth.absent', 'errors.key', 'auth.failure-shape'], 'no header'), async () => {
  const { status, headers, body } = await sendWith(undefined);
  expect(status).toBe(401);
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(body).toEqual(ABSENT);
});

test(requirement('answers.empty-key', 'an empty header counts as absent'), async () => {
  expect(await sendWith('')).toMatchObject({ status: 401, body: ABSENT });
});

test(
  requirement(
    ['auth.invalid', 'errors.key', 'auth.failure-shape', 'ingest.invalid-key-401'],
    'a key that nobody made',
  ),
  async () => {
    const { status, body } = await sendWith(generateApiKey());
    expect(status).toBe(401);
    expect(body).toEqual(INVALID);
  },
);

test(
  requirement(['key.format', 'auth.invalid'], 'a key has its form; one wrong character is enough'),
  async () => {
    const { secret } = await cellar.createKey();
    expect(secret).toMatch(/^cm_[0-9A-Za-z]{36}$/);
    const typo = secret.slice(0, 5) + (secret[5] === 'a' ? 'b' : 'a') + secret.slice(6);
    for (const wrong of [
      typo,
      secret.slice(0, -1),
      `${secret}0`,
      secret.toLowerCase(),
      'cm_',
      `Bearer ${secret}`,
    ]) {
      expect(await sendWith(wrong), wrong).toMatchObject({ status: 401, body: INVALID });
    }
  },
);

test(
  requirement(
    ['auth.expired', 'errors.key', 'auth.failure-shape', 'key.expired'],
    'a key past its expiry, though it was good before',
  ),
  async () => {
    const { secret } = await cellar.createKey({ expiresAt: new Date(Date.now() + 5_000).toISOString() });
    await waitForAnswer(secret, EXPIRED);
    const { status, body } = await sendWith(secret);
    expect(status).toBe(401);
    expect(body).toEqual(EXPIRED);
  },
);

test(
  requirement(
    ['answers.revoked-key', 'key.revoked', 'key.revocable'],
    'a key that is revoked while it is in use',
  ),
  async () => {
    const { id, secret } = await cellar.createKey();
    expect((await sendWith(secret)).status).toBe(200);
    await owner.ask('POST', `/api/v1/cellars/${cellar.name}/keys/${id}/revoke`);
    await waitForAnswer(secret, INVALID);
    expect((await sendWith(secret)).body).toEqual(INVALID);
  },
);

test(requirement('answers.close-on-401', 'a 401 closes the connection'), async () => {
  expect((await sendWith(undefined)).headers.get('connection')).toBe('close');
});

test(
  requirement(['auth.one-cellar', 'code.cellar_mismatch'], 'a key sends for its own cellar only'),
  async () => {
    const { secret } = await cellar.createKey();
    const other = await owner.openCellar();
    const answer = await send(JSON.stringify(readingOf(other.name)), { apiKey: secret });
    expect(answer).toMatchObject({ status: 403, body: { status: 'error', code: 'cellar_mismatch' } });
  },
);

test(
  requirement(
    ['auth.one-cellar', 'code.rack_mismatch'],
    'a key may be bound to a rack, or to a prefix of racks',
  ),
  async () => {
    const sendAs = (apiKey: string, rack: string) =>
      send(JSON.stringify(readingOf(cellar.name, { rack })), { apiKey });
    const rejected = { status: 403, body: { status: 'error', code: 'rack_mismatch' } };
    const one = await cellar.createKey({ rack: 'boiler' });
    expect((await sendAs(one.secret, 'boiler')).status).toBe(200);
    expect(await sendAs(one.secret, 'boiler-2')).toMatchObject(rejected);
    const many = await cellar.createKey({ rackPrefix: 'hall-3/' });
    expect((await sendAs(many.secret, 'hall-3/pump')).status).toBe(200);
    expect(await sendAs(many.secret, 'hall-30/pump')).toMatchObject(rejected);
  },
);

test(requirement('code.insufficient_scope', 'a key that may only read does not send'), async () => {
  const { secret } = await cellar.createKey({ scopes: ['read'] });
  expect(await sendWith(secret)).toMatchObject({
    status: 403,
    body: { status: 'error', code: 'insufficient_scope' },
  });
});

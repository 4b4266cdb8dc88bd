import { generateApiKey } from '@cellarman/api-key';
import { INGEST_PATH } from '@cellarman/contracts';
import { beforeAll, expect, test, vi } from 'vitest';
import { askManagement, signIn } from './client/owner.ts';
import type { Owner, Cellar } from './client/owner.ts';
import { ask, send } from './client/ingest.ts';
import { readingOf } from './client/reading.ts';
import { requirement } from './requirements/requirement.ts';

interface KeyView {
  id: string;
  state: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
}

let owner: Owner;
let cellar: Cellar;
let keysPath: string;

beforeAll(async () => {
  owner = await signIn();
  cellar = await owner.openCellar();
  keysPath = `/api/v1/cellars/${cellar.name}/keys`;
});

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const sendWith = (apiKey: string) => send(JSON.stringify(readingOf(cellar.name)), { apiKey });

async function listKeys(query = ''): Promise<KeyView[]> {
  return (await owner.ask('GET', `${keysPath}${query}`)).body['keys'] as KeyView[];
}

test(
  requirement(
    ['auth.making-a-key', 'key.made-in-cellar', 'service.key-management'],
    'make a cellar, make a key in it, copy it, send',
  ),
  async () => {
    const name = `${cellar.name}-steps`;
    expect((await owner.ask('POST', '/api/v1/cellars', { name })).status).toBe(201);
    const made = await owner.ask('POST', `/api/v1/cellars/${name}/keys`, { name: 'boiler house' });
    expect(made.status).toBe(201);
    const sent = await send(JSON.stringify(readingOf(name)), { apiKey: String(made.body['secret']) });
    expect(sent.status).toBe(200);
  },
);

test(
  requirement('key.secret-once', 'the key is in the response that makes it, and in no other'),
  async () => {
    const { id, secret } = await cellar.createKey();
    const later = [
      await owner.ask('GET', keysPath),
      await owner.ask('GET', `${keysPath}/${id}`),
      await owner.ask('PATCH', `${keysPath}/${id}`, { name: 'renamed' }),
      await owner.ask('GET', `/api/v1/cellars/${cellar.name}/audit`),
    ];
    for (const { status, body } of later) {
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain(secret);
    }
  },
);

test(
  requirement('key.listed', 'active keys are listed with the dates of creation and last use'),
  async () => {
    const used = await cellar.createKey();
    const unused = await cellar.createKey();
    const revoked = await cellar.createKey();
    await owner.ask('POST', `${keysPath}/${revoked.id}/revoke`);
    const begun = Date.now();
    expect((await sendWith(used.secret)).status).toBe(200);

    const isoTime = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/) as string;
    await vi.waitFor(
      async () => {
        const keys = await listKeys('?state=active&limit=200');
        const own = keys.find(({ id }) => id === used.id);
        expect(own).toMatchObject({ state: 'active', createdAt: isoTime, lastUsedAt: isoTime });
        expect(Date.parse(own?.lastUsedAt ?? '')).toBeGreaterThan(begun - 60_000);
        expect(keys.find(({ id }) => id === unused.id)).toMatchObject({
          createdAt: isoTime,
          lastUsedAt: null,
        });
        expect(keys.map(({ id }) => id)).not.toContain(revoked.id);
      },
      { timeout: 100_000, interval: 500 },
    );
  },
);

test(requirement('key.expiry-settable', 'an expiry is given when a key is made, or later'), async () => {
  const expiresAt = inDays(7);
  const made = await cellar.createKey({ expiresAt });
  expect((await owner.ask('GET', `${keysPath}/${made.id}`)).body).toMatchObject({ expiresAt });
  const later = inDays(30);
  expect((await owner.ask('PATCH', `${keysPath}/${made.id}`, { expiresAt: later })).body).toMatchObject({
    expiresAt: later,
  });
  const past = await owner.ask('POST', keysPath, { name: 'late', expiresAt: inDays(-1) });
  expect(past).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
});

test(
  requirement(
    ['ingest.no-key-endpoints', 'service.key-management', 'code.unauthenticated'],
    'keys are managed nowhere else, and by nobody with an API key alone',
  ),
  async () => {
    const { secret } = await cellar.createKey();
    for (const path of [`${INGEST_PATH}/keys`, '/api/v1/keys', keysPath]) {
      expect((await ask(path, { headers: { 'x-api-key': secret } })).status).toBe(404);
    }
    const stranger = await askManagement('GET', keysPath, undefined, {
      'x-api-key': secret,
      authorization: `Bearer ${generateApiKey()}`,
    });
    expect(stranger).toMatchObject({ status: 401, body: { status: 'error', code: 'unauthenticated' } });
  },
);

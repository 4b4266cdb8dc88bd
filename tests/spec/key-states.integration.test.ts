import { beforeAll, expect, test, vi } from 'vitest';
import { signIn } from './client/owner.ts';
import type { Owner, Cellar } from './client/owner.ts';
import { send } from './client/ingest.ts';
import { readingOf } from './client/reading.ts';
import { requirement } from './requirements/requirement.ts';

let owner: Owner;
let cellar: Cellar;
let keysPath: string;

beforeAll(async () => {
  owner = await signIn();
  cellar = await owner.openCellar();
  keysPath = `/api/v1/cellars/${cellar.name}/keys`;
});

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();
const sendWith = (apiKey: string) => send(JSON.stringify(readingOf(cellar.name)), { apiKey });

test(
  requirement(
    ['key.active', 'key.expired', 'key.revoked', 'key.transitions'],
    'active, expired, active again by a later expiry, revoked for good',
  ),
  async () => {
    const { id } = await cellar.createKey();
    const stateOf = async () => (await owner.ask('GET', `${keysPath}/${id}`)).body['state'];
    expect(await stateOf()).toBe('active');
    await owner.ask('PATCH', `${keysPath}/${id}`, { expiresAt: inSeconds(1) });
    await vi.waitFor(async () => expect(await stateOf()).toBe('expired'), { timeout: 30_000 });
    await owner.ask('PATCH', `${keysPath}/${id}`, { expiresAt: null });
    expect(await stateOf()).toBe('active');
    await owner.ask('POST', `${keysPath}/${id}/revoke`);
    expect(await stateOf()).toBe('revoked');
    const back = await owner.ask('PATCH', `${keysPath}/${id}`, { expiresAt: inSeconds(86_400) });
    expect(back).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await stateOf()).toBe('revoked');
  },
);

test(
  requirement(
    ['auth.practice', 'key.revocable'],
    'a key is rotated without a gap, and the old one revoked immediately',
  ),
  async () => {
    const old = await cellar.createKey({ name: 'application one' });
    const rotated = await owner.ask('POST', `${keysPath}/${old.id}/rotate`, {
      overlapSeconds: 3_600,
    });
    expect(rotated.status).toBe(201);
    const successor = String(rotated.body['secret']);
    expect((await sendWith(old.secret)).status).toBe(200);
    expect((await sendWith(successor)).status).toBe(200);

    await owner.ask('POST', `${keysPath}/${old.id}/revoke`);
    await vi.waitFor(async () => expect((await sendWith(old.secret)).status).toBe(401), { timeout: 30_000 });
    expect((await sendWith(successor)).status).toBe(200);
  },
);

import { hasApiKeyFormat, hashApiKey } from '@cellarman/api-key';
import { LAST_USED_PATH, LOOKUP_PATH } from '@cellarman/contracts';
import type { LookupResponse } from '@cellarman/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditView } from '../src/audit/audit-schema.ts';
import type { KeyView } from '../src/keys/key-schema.ts';
import { makeCellar, makeKey } from './made.ts';
import { ADMIN, startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

let service: ServiceUnderTest;
let cellar: string;
let path: string;
beforeAll(async () => {
  service = await startServiceUnderTest();
  cellar = (await makeCellar(service, { retentionDays: 7 })).name;
  path = `/api/v1/cellars/${cellar}/keys`;
});
afterAll(() => service.stop());

interface AuditPage {
  entries: AuditView[];
  nextCursor: string | null;
}

interface Created {
  key: KeyView;
  secret: string;
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const create = (fields: object, headers = {}) =>
  service.admin.call<Created>('POST', path, { name: 'a key', ...fields }, headers);
const getKey = async (id: string) => (await service.admin.call<KeyView>('GET', `${path}/${id}`)).body;
const change = (id: string, fields: object) => service.admin.call<KeyView>('PATCH', `${path}/${id}`, fields);
const revoke = (id: string) => service.admin.call<KeyView>('POST', `${path}/${id}/revoke`);
const rotate = (id: string, fields: object) =>
  service.admin.call<Created & { replaced: KeyView }>('POST', `${path}/${id}/rotate`, fields);
const lookUp = async (hash: string) =>
  (await service.internal<LookupResponse>('POST', LOOKUP_PATH, { hashes: [hash] })).body.answers[0]?.key;
const audit = async (of = cellar) =>
  (await service.admin.call<{ entries: AuditView[] }>('GET', `/api/v1/cellars/${of}/audit?limit=200`)).body
    .entries;

/** As if its time had come, without waiting for it. */
async function letExpire(id: string): Promise<void> {
  await service.pool.query(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`, [
    id,
  ]);
}

describe('creating a key', () => {
  test('shows the secret once, and stores only its hash', async () => {
    const expiresAt = inDays(30);
    const fields = {
      name: 'Heizraum Süd 🔥',
      expiresAt,
      rackPrefix: 'boiler-',
      scopes: ['ingest', 'read'],
      rateLimit: { perSecond: 2.5, burst: 100 },
    };
    const answer = await create(fields);
    expect(answer.status).toBe(201);
    const { key, secret } = answer.body;
    expect(hasApiKeyFormat(secret)).toBe(true);
    expect(answer.headers.get('location')).toBe(`${path}/${key.id}`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(key).toMatchObject({
      ...fields,
      cellar,
      rack: null,
      displayPrefix: secret.slice(0, 8),
      state: 'active',
      createdBy: ADMIN.email,
      revokedAt: null,
      lastUsedAt: null,
      rotatedFrom: null,
    });
    expect(await getKey(key.id)).toEqual(key);

    const tables = await service.pool.query<{ row: string }>(
      `SELECT api_keys::text AS row FROM api_keys UNION ALL SELECT audit::text FROM audit
       UNION ALL SELECT changes::text FROM changes`,
    );
    const stored = tables.rows.map(({ row }) => row).join('\n');
    expect(stored).toContain(hashApiKey(secret));
    expect(stored).not.toContain(secret.slice(0, 12));
    const shown = JSON.stringify(await audit());
    expect(shown).not.toContain(hashApiKey(secret));
  });

  test('creates one for ingest without restrictions by default', async () => {
    const { body } = await create({});
    expect(body.key).toMatchObject({
      scopes: ['ingest'],
      rack: null,
      rackPrefix: null,
      rateLimit: null,
      expiresAt: null,
    });
    expect(await lookUp(hashApiKey(body.secret))).toEqual({
      id: body.key.id,
      hash: hashApiKey(body.secret),
      cellar,
      rack: null,
      rackPrefix: null,
      scopes: ['ingest'],
      expiresAt: null,
      revokedAt: null,
      ratePerSecond: null,
      rateBurst: null,
      cellarRatePerSecond: null,
      cellarRateBurst: null,
      retentionDays: 7,
    });
  });

  test('takes the rate limit of the cellar for a key that has none, the whole of it', async () => {
    const limited = await makeCellar(service, { rateLimit: { perSecond: 3, burst: 30 } });
    const without = await makeKey(service, limited.name);
    const own = await makeKey(service, limited.name, { rateLimit: { perSecond: 2, burst: 20 } });
    expect(await lookUp(without.hash)).toMatchObject({ ratePerSecond: 3, rateBurst: 30 });
    expect(await lookUp(own.hash)).toMatchObject({ ratePerSecond: 2, rateBurst: 20 });
  });

  test.each([
    ['no name', { name: undefined }],
    ['an empty name', { name: '' }],
    ['a name with a line end', { name: 'a\nb' }],
    ['a rack of 257 characters', { rack: 'x'.repeat(257) }],
    ['an empty rack', { rack: '' }],
    ['a rack and a rack prefix', { rack: 'a', rackPrefix: 'b' }],
    ['no scope', { scopes: [] }],
    ['an unknown scope', { scopes: ['admin'] }],
    ['a scope twice', { scopes: ['read', 'read'] }],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }],
    ['an expiry before our era', { expiresAt: '0000-01-01T00:00:00Z' }],
    ['an expiry without a zone', { expiresAt: '2099-01-01T00:00:00' }],
    ['a day that does not exist', { expiresAt: '2099-02-30T00:00:00Z' }],
    ['a second that does not exist', { expiresAt: '2098-12-31T23:59:60Z' }],
    ['an expiry as a number', { expiresAt: 4_102_444_800 }],
    ['an unknown field', { secret: 'mine' }],
  ])('rejects %s', async (_case, fields) => {
    expect(await create(fields)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  test('twice with the same Idempotency-Key makes one key', async () => {
    const headers = { 'idempotency-key': 'row 17 of keys.csv' };
    const answers = await Promise.all([1, 2, 3].map(() => create({ name: 'imported' }, headers)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    const made = answers.find(({ status }) => status === 201)?.body.key.id ?? '';
    const rejected = answers.filter(({ status }) => status === 409);
    for (const { body, headers: told } of rejected) {
      expect((body as unknown as { error: string }).error).toContain(made);
      expect(told.get('location')).toBe(`/api/v1/cellars/${cellar}/keys/${made}`);
    }
    expect((await audit()).filter(({ details }) => details['name'] === 'imported')).toHaveLength(1);
    // In another cellar it is another request.
    const other = await makeCellar(service);
    const elsewhere = await service.admin.call(
      'POST',
      `/api/v1/cellars/${other.name}/keys`,
      { name: 'x' },
      headers,
    );
    expect(elsewhere.status).toBe(201);
  });

  test('needs a cellar', async () => {
    expect(await service.admin.call('POST', '/api/v1/cellars/unknown/keys', { name: 'x' })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
  });
});

describe('states', () => {
  test('a key is active, then expired, and active again with a later expiry', async () => {
    const key = await makeKey(service, cellar, { expiresAt: inDays(1) });
    expect(key.state).toBe('active');
    await letExpire(key.id);
    expect((await getKey(key.id)).state).toBe('expired');
    const later = inDays(2);
    expect(await change(key.id, { expiresAt: later })).toMatchObject({
      status: 200,
      body: { state: 'active', expiresAt: later },
    });
    expect(await lookUp(key.hash)).toMatchObject({ expiresAt: later });
  });

  test('revoked is final', async () => {
    const key = await makeKey(service, cellar);
    const revoked = await revoke(key.id);
    expect(revoked).toMatchObject({ status: 200, body: { state: 'revoked', revokedBy: ADMIN.email } });
    expect(await revoke(key.id)).toMatchObject({ status: 200, body: revoked.body });
    expect(await change(key.id, { expiresAt: null })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
    expect(await rotate(key.id, { overlapSeconds: 0 })).toMatchObject({ status: 409 });
    const entries = (await audit()).filter(({ keyId }) => keyId === key.id);
    expect(entries.map(({ action }) => action)).toEqual(['key.revoked', 'key.created']);
  });

  test('a revoked key that has expired too is revoked', async () => {
    const key = await makeKey(service, cellar, { expiresAt: inDays(1) });
    await revoke(key.id);
    await letExpire(key.id);
    expect((await getKey(key.id)).state).toBe('revoked');
  });
});

describe('changing a key', () => {
  test('changes what is given and writes it down', async () => {
    const key = await makeKey(service, cellar, { rateLimit: { perSecond: 1, burst: 1 } });
    const expiresAt = inDays(3);
    expect(await change(key.id, { expiresAt })).toMatchObject({
      body: { expiresAt, name: 'a key', rateLimit: { perSecond: 1, burst: 1 } },
    });
    expect(await change(key.id, { name: 'renamed', rateLimit: null })).toMatchObject({
      body: { expiresAt, name: 'renamed', rateLimit: null },
    });
    expect(await change(key.id, { expiresAt: null })).toMatchObject({ body: { expiresAt: null } });
    expect((await audit()).find(({ keyId }) => keyId === key.id)).toMatchObject({
      action: 'key.changed',
      details: { before: { expiresAt }, after: { expiresAt: null } },
    });
  });

  test.each([[{}], [{ expiresAt: '2020-01-01T00:00:00Z' }], [{ rack: 'x' }], [{ scopes: ['read'] }]])(
    'rejects %o',
    async (fields) => {
      const key = await makeKey(service, cellar);
      expect(await change(key.id, fields)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    },
  );

  test('finds only keys of this cellar', async () => {
    const other = await makeCellar(service);
    const key = await makeKey(service, other.name);
    const rejection = { status: 404, body: { code: 'not_found' } };
    for (const id of [key.id, '9c2b8a52-0000-4000-8000-000000000000']) {
      expect(await service.admin.call('GET', `${path}/${id}`)).toMatchObject(rejection);
      expect(await change(id, { name: 'x' })).toMatchObject(rejection);
      expect(await revoke(id)).toMatchObject(rejection);
      expect(await rotate(id, { overlapSeconds: 1 })).toMatchObject(rejection);
    }
    for (const id of ['1', `urn:uuid:${key.id}`]) {
      expect(await service.admin.call('GET', `${path}/${encodeURIComponent(id)}`)).toMatchObject({
        status: 400,
      });
    }
    expect(await lookUp(key.hash)).toMatchObject({ revokedAt: null });
  });
});

describe('rotating a key', () => {
  test('makes a new one with the same settings; the old one goes on for the overlap', async () => {
    const fields = {
      rack: 'r1',
      scopes: ['read'],
      rateLimit: { perSecond: 1, burst: 2 },
      expiresAt: inDays(90),
    };
    const key = await makeKey(service, cellar, { name: 'rotated', ...fields });
    const answer = await rotate(key.id, { overlapSeconds: 3_600 });
    expect(answer.status).toBe(201);
    const { key: fresh, secret, replaced } = answer.body;
    expect(fresh).toMatchObject({ name: 'rotated', ...fields, rotatedFrom: key.id, state: 'active' });
    expect(secret).not.toBe(key.secret);
    const left = Date.parse(replaced.expiresAt ?? '') - Date.now();
    expect(left).toBeGreaterThan(3_500_000);
    expect(left).toBeLessThanOrEqual(3_600_000);
    expect(await lookUp(hashApiKey(secret))).toMatchObject({ id: fresh.id });
    expect(await lookUp(key.hash)).toMatchObject({ id: key.id, expiresAt: replaced.expiresAt });
    expect((await audit())[0]).toMatchObject({
      action: 'key.rotated',
      keyId: key.id,
      details: { newKeyId: fresh.id, oldExpiresAt: replaced.expiresAt },
    });
  });

  test('never makes the old one live longer', async () => {
    const expiresAt = inDays(1);
    const key = await makeKey(service, cellar, { expiresAt });
    const { body } = await rotate(key.id, { overlapSeconds: 7 * 86_400, expiresAt: null });
    expect(body.replaced.expiresAt).toBe(expiresAt);
    expect(body.key.expiresAt).toBeNull();
  });

  test('without an overlap the old one has expired immediately', async () => {
    const key = await makeKey(service, cellar);
    await rotate(key.id, { overlapSeconds: 0 });
    expect((await getKey(key.id)).state).toBe('expired');
  });

  test('needs an active key', async () => {
    const key = await makeKey(service, cellar, { expiresAt: inDays(1) });
    await letExpire(key.id);
    expect(await rotate(key.id, { overlapSeconds: 1 })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
  });

  test.each([[{}], [{ overlapSeconds: -1 }], [{ overlapSeconds: '1' }], [{ overlapSeconds: 1, name: 'x' }]])(
    'rejects %o',
    async (fields) => {
      const key = await makeKey(service, cellar);
      expect(await rotate(key.id, fields)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    },
  );
});

describe('creating many keys', () => {
  const bulk = (of: string, keys: object[]) =>
    service.admin.call<{ keys: { id: string; secret: string | null }[] }>(
      'POST',
      `/api/v1/cellars/${of}/key-batches`,
      { keys },
    );
  const device = (n: number) => ({ name: `device ${n}`, rack: `rack-${n}`, idempotencyKey: `import/${n}` });

  test('creates 1,000 in one transaction, each with a change and an audit entry, and repeats none', async () => {
    const { name: of } = await makeCellar(service);
    const first = await makeKey(service, of);
    const numberBefore = (await service.pool.query<{ value: string }>('SELECT value FROM counter')).rows[0];
    const wanted = Array.from({ length: 1_000 }, (_, n) => device(n));
    const { status, body } = await bulk(of, wanted);
    expect(status).toBe(200);
    expect(new Set(body.keys.map(({ secret }) => secret)).size).toBe(1_000);
    const [, second] = body.keys;
    expect(await service.admin.call('GET', `/api/v1/cellars/${of}/keys/${second?.id ?? ''}`)).toMatchObject({
      body: {
        name: 'device 1',
        rack: 'rack-1',
        state: 'active',
      },
    });
    const found = await lookUp(hashApiKey(second?.secret ?? ''));
    expect(found).toMatchObject({ id: second?.id, cellar: of, rack: 'rack-1' });

    const { rows } = await service.pool.query<{ numbers: string; created: string; listed: boolean }>(
      `SELECT (SELECT count(DISTINCT number) FROM changes WHERE number > $2) AS numbers,
              (SELECT count(DISTINCT key_id) FROM audit WHERE cellar = $1 AND action = 'key.created') AS created,
              (SELECT details->>'name' = 'device 1' AND actor = $4 FROM audit WHERE key_id = $3) AS listed`,
      [of, numberBefore?.value, second?.id, ADMIN.email],
    );
    expect(rows).toEqual([{ numbers: '1000', created: '1001', listed: true }]);

    const again = await bulk(of, [...wanted.slice(0, 2), device(1_000)]);
    expect(again.body.keys.slice(0, 2)).toEqual(
      body.keys.slice(0, 2).map(({ id }) => ({ id, secret: null })),
    );
    expect(again.body.keys[2]?.secret).toEqual(expect.any(String));
    expect(first.id).not.toBe(second?.id);
  });

  test('creates none if one is invalid', async () => {
    const { name: of } = await makeCellar(service);
    const bad: object[][] = [
      [],
      Array.from({ length: 1_001 }, (_, n) => device(n)),
      [device(1), { name: 'without a name for the request' }],
      [device(1), device(1)],
      [device(1), { ...device(2), rackPrefix: 'x' }],
      [device(1), { ...device(2), expiresAt: '2020-01-01T00:00:00Z' }],
    ];
    for (const keys of bad) {
      expect(await bulk(of, keys)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
    const { rows } = await service.pool.query(`SELECT FROM api_keys WHERE cellar = $1`, [of]);
    expect(rows).toEqual([]);
  });
});

describe('last used', () => {
  const use = (uses: { id: string; at: string }[]) => service.internal('POST', LAST_USED_PATH, { uses });

  test('moves forward only, and not past the now of the database', async () => {
    const key = await makeKey(service, cellar);
    const at = new Date(Date.now() - 600_000).toISOString();
    const earlier = new Date(Date.now() - 1_200_000).toISOString();
    expect(
      (
        await use([
          { id: key.id, at: earlier },
          { id: key.id, at },
          { id: key.id, at: earlier },
        ])
      ).status,
    ).toBe(204);
    expect((await getKey(key.id)).lastUsedAt).toBe(at);
    await use([{ id: key.id, at: earlier }]);
    expect((await getKey(key.id)).lastUsedAt).toBe(at);
    // Another replica has seen the key soon after: not worth a write.
    await use([{ id: key.id, at: new Date(Date.parse(at) + 299_000).toISOString() }]);
    expect((await getKey(key.id)).lastUsedAt).toBe(at);

    await use([{ id: key.id, at: '2999-01-01T00:00:00Z' }]);
    const { rows } = await service.pool.query<{ past: boolean }>(
      `SELECT at <= now() AND at > $2 AS past FROM key_uses WHERE key_id = $1`,
      [key.id, at],
    );
    expect(rows).toEqual([{ past: true }]);
  });

  test('shows a later use that the previous version stored', async () => {
    const key = await makeKey(service, cellar);
    await use([{ id: key.id, at: new Date(Date.now() - 600_000).toISOString() }]);
    const at = new Date(Date.now() - 60_000);
    await service.pool.query('UPDATE api_keys SET last_used_at = $2 WHERE id = $1', [key.id, at]);
    expect((await getKey(key.id)).lastUsedAt).toBe(at.toISOString());
  });

  test('leaves out what it does not know', async () => {
    const key = await makeKey(service, cellar);
    const at = new Date(Date.now() - 1_000).toISOString();
    const uses = [
      { id: 'no-uuid', at },
      { id: '9c2b8a52-0000-4000-8000-000000000000', at },
      { id: key.id, at },
    ];
    expect((await use(uses)).status).toBe(204);
    expect((await getKey(key.id)).lastUsedAt).toBe(at);
    expect((await use([])).status).toBe(204);
  });

  test('from several replicas at the same time ends well', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => makeKey(service, cellar)));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, round) => {
        const at = new Date(Date.now() - 1_000 * (round + 1)).toISOString();
        const uses = keys.map(({ id }) => ({ id, at }));
        return use(round % 2 === 0 ? uses : uses.toReversed());
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(204));
  });

  test.each([
    [[{ id: 'x', at: 'yesterday' }]],
    [[{ id: 'x' }]],
    [[{ id: '', at: '2026-01-01T00:00:00Z' }]],
    ['x'],
  ])('rejects %j', async (uses) => {
    expect(await service.internal('POST', LAST_USED_PATH, { uses })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });
});

describe('listing keys', () => {
  const list = async (of: string, query: string) => {
    const answer = await service.admin.call<{ keys: KeyView[]; nextCursor: string | null }>(
      'GET',
      `/api/v1/cellars/${of}/keys?${query}`,
    );
    expect(answer.status).toBe(200);
    return answer.body;
  };

  async function all(of: string, query: string): Promise<string[]> {
    const names: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await list(of, `${query}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      names.push(...page.keys.map(({ name }) => name));
      cursor = page.nextCursor;
    }
    return names;
  }

  test('sorts and filters, in pages that neither repeat nor skip', async () => {
    const { name: of } = await makeCellar(service);
    const made = [];
    for (const name of ['delta', 'Alpha', 'charlie', 'bravo', 'echo'])
      made.push(await makeKey(service, of, { name }));
    const [delta, alpha, charlie, bravo] = made.map(({ id }) => id);
    await service.internal('POST', LAST_USED_PATH, {
      uses: [
        { id: charlie, at: '2026-01-02T00:00:00Z' },
        { id: alpha, at: '2026-01-01T00:00:00Z' },
      ],
    });
    await service.pool.query(`UPDATE api_keys SET expires_at = now() - interval '1 day' WHERE id = $1`, [
      delta,
    ]);
    await service.admin.call('POST', `/api/v1/cellars/${of}/keys/${bravo}/revoke`);

    expect(await all(of, 'sort=createdAt&order=asc')).toEqual(['delta', 'Alpha', 'charlie', 'bravo', 'echo']);
    expect(await all(of, '')).toEqual(['echo', 'bravo', 'charlie', 'Alpha', 'delta']);
    expect(await all(of, 'sort=name&order=asc')).toEqual(['Alpha', 'bravo', 'charlie', 'delta', 'echo']);
    expect((await all(of, 'sort=lastUsedAt&order=desc')).slice(0, 2)).toEqual(['charlie', 'Alpha']);
    expect((await all(of, 'sort=lastUsedAt')).toSorted()).toEqual([
      'Alpha',
      'bravo',
      'charlie',
      'delta',
      'echo',
    ]);
    expect((await all(of, 'sort=expiresAt&order=asc'))[0]).toBe('delta');
    expect(await all(of, 'state=active&order=asc')).toEqual(['Alpha', 'charlie', 'echo']);
    expect(await all(of, 'state=expired')).toEqual(['delta']);
    expect(await all(of, 'state=revoked')).toEqual(['bravo']);
  });

  test('finds a key by a part of its name or the beginning of the key, in pages', async () => {
    const { name: of } = await makeCellar(service);
    for (const name of ['boiler 1', 'Boiler 2', 'press', '100% boiler_3'])
      await makeKey(service, of, { name });
    const [press] = (await list(of, 'search=press')).keys;
    expect(await all(of, 'search=bOILER&sort=name&order=asc')).toEqual([
      '100% boiler_3',
      'boiler 1',
      'Boiler 2',
    ]);
    expect(await all(of, 'search=%25')).toEqual(['100% boiler_3']);
    expect(await all(of, `search=${press?.displayPrefix ?? ''}`)).toEqual(['press']);
    expect(await all(of, 'search=r_')).toEqual(['100% boiler_3']);
    expect(await all(of, 'search=boiler&state=revoked')).toEqual([]);
  });

  test('of a large cellar filters keys that are far apart, and sorts only by what an index has', async () => {
    const { name: of } = await makeCellar(service);
    await service.pool.query(
      `INSERT INTO api_keys (cellar, name, hash, display_prefix, scopes, created_at, revoked_at)
       SELECT $1, CASE WHEN i % 10250 = 0 THEN 'needle ' ELSE 'hay ' END || i, sha256(($1 || i)::bytea), 'cm_test',
              '{ingest}', now() - i * interval '1 second', CASE WHEN i = 20500 THEN now() END
       FROM generate_series(1, 20500) AS i`,
      [of],
    );
    expect(await all(of, 'search=NEEDLE')).toEqual(['needle 10250', 'needle 20500']);
    expect(await all(of, 'search=needle&sort=name&state=active')).toEqual(['needle 10250']);
    expect(await all(of, 'state=revoked')).toEqual(['needle 20500']);
    expect((await list(of, 'sort=expiresAt&state=active')).keys).toHaveLength(50);
    for (const query of ['sort=lastUsedAt', 'sort=expiresAt&state=revoked']) {
      expect(await service.admin.call('GET', `/api/v1/cellars/${of}/keys?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      });
    }
  });

  test('keeps keys of the same moment apart', async () => {
    const { name: of } = await makeCellar(service);
    for (let i = 0; i < 7; i++) await makeKey(service, of, { name: `key ${i}` });
    await service.pool.query(`UPDATE api_keys SET created_at = '2026-01-01' WHERE cellar = $1`, [of]);
    expect((await all(of, 'sort=createdAt')).toSorted()).toEqual(
      Array.from({ length: 7 }, (_, i) => `key ${i}`),
    );
  });

  test.each(['state=lost', 'sort=hash', 'order=up', 'limit=0', 'cursor=x', 'search=', 'search=%00'])(
    'rejects ?%s',
    async (query) => {
      expect(await service.admin.call('GET', `${path}?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      });
    },
  );

  test('rejects a cursor of another sort, or a forged one', async () => {
    const { name: of } = await makeCellar(service);
    for (let i = 0; i < 2; i++) await makeKey(service, of);
    const { nextCursor } = await list(of, 'limit=1&sort=name');
    const forged = Buffer.from(JSON.stringify(['createdAt', 'never', 'x'])).toString('base64url');
    for (const cursor of [nextCursor, forged]) {
      const answer = await service.admin.call(
        'GET',
        `/api/v1/cellars/${of}/keys?sort=createdAt&cursor=${cursor}`,
      );
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
  });

  test('needs a cellar', async () => {
    expect(await service.admin.call('GET', '/api/v1/cellars/unknown/keys')).toMatchObject({ status: 404 });
  });
});

describe('the audit', () => {
  test('has exactly one entry for each change, newest first, in pages', async () => {
    const { name: of } = await makeCellar(service);
    const key = await makeKey(service, of);
    await service.admin.call('PATCH', `/api/v1/cellars/${of}/keys/${key.id}`, { name: 'b' });
    await service.admin.call('POST', `/api/v1/cellars/${of}/keys/${key.id}/revoke`);
    await service.admin.call('POST', `/api/v1/cellars/${of}/keys/${key.id}/rotate`, { overlapSeconds: 0 });

    const actions: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = `limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const { body } = await service.admin.call<AuditPage>('GET', `/api/v1/cellars/${of}/audit?${query}`);
      actions.push(...body.entries.map(({ action }) => action));
      cursor = body.nextCursor;
    }
    expect(actions).toEqual(['key.revoked', 'key.changed', 'key.created', 'cellar.created']);

    const everything = await service.admin.call<{ entries: AuditView[] }>('GET', '/api/v1/audit?limit=200');
    expect(everything.body.entries.slice(0, 4).map(({ action }) => action)).toEqual(actions);
    expect(everything.body.entries.some((entry) => entry.cellar !== of)).toBe(true);
    expect(everything.body.entries.map(({ id }) => Number(id))).toEqual(
      everything.body.entries.map(({ id }) => Number(id)).toSorted((a, b) => b - a),
    );
    expect(await service.admin.call('GET', '/api/v1/audit?cursor=WyJ4Il0')).toMatchObject({ status: 400 });
  });
});

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { LOOKUP_PATH, RETENTION_PATH } from '@cellarman/contracts';
import type { LookupResponse, RetentionResponse } from '@cellarman/contracts';
import { createLogger } from '@cellarman/telemetry';
import type { AuditView } from '../src/audit/audit-schema.ts';
import { createCellarsRepository } from '../src/cellars/cellars-repository.ts';
import type { CellarView } from '../src/cellars/cellar-schema.ts';
import { createCommit } from '../src/changes/committer.ts';
import type { KeyView } from '../src/keys/key-schema.ts';
import { createDatabase } from '../src/postgres/database.ts';
import { makeCellar, makeKey, newName } from './made.ts';
import { ADMIN, startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startServiceUnderTest({ DEFAULT_RETENTION_DAYS: '30' });
});
afterAll(() => service.stop());

const CELLARS = '/api/v1/cellars';
const get = (name: string) => service.admin.call<CellarView>('GET', `${CELLARS}/${name}`);
const change = (name: string, fields: object) =>
  service.admin.call<CellarView>('PATCH', `${CELLARS}/${name}`, fields);
const archive = (name: string) => service.admin.call<CellarView>('POST', `${CELLARS}/${name}/archive`);
const auditOf = async (name: string) => {
  const answer = await service.admin.call<{ entries: AuditView[] }>('GET', `${CELLARS}/${name}/audit`);
  return answer.body.entries;
};
async function retentionOf(name: string): Promise<number | undefined> {
  const answer = await service.internal<RetentionResponse>('GET', RETENTION_PATH);
  return answer.body.cellars?.find(({ cellar }) => cellar === name)?.days;
}

describe('creating a cellar', () => {
  test('gives it the default retention, and none of the keys', async () => {
    const name = newName();
    const answer = await service.admin.call<CellarView>('POST', CELLARS, { name });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`${CELLARS}/${name}`);
    expect(answer.body).toMatchObject({
      name,
      retentionDays: 30,
      rateLimit: null,
      lineProtocolKeg: '{measurement}.{field}{tags}',
      activeKeys: 0,
      rejectedLastHour: 0,
      createdBy: ADMIN.email,
      archivedAt: null,
    });
    expect(await get(name)).toMatchObject({ status: 200, body: answer.body });
    expect(await retentionOf(name)).toBe(30);
  });

  test('keeps what is given', async () => {
    const rateLimit = { perSecond: 0.5, burst: 10_000 };
    const settings = { retentionDays: 3650, rateLimit, lineProtocolKeg: '{tag:room name}/{field}' };
    expect(await makeCellar(service, settings)).toMatchObject(settings);
  });

  test.each([
    ['an empty name', { name: '' }],
    ['a name that begins with a dot', { name: '.a' }],
    ['a name with a slash', { name: 'a/b' }],
    ['a name with a line end', { name: 'a\n' }],
    ['a name of 65 characters', { name: 'a'.repeat(65) }],
    ['a name that is a number', { name: 7 }],
    ['no name', { name: undefined }],
    ['a retention of 0 days', { retentionDays: 0 }],
    ['a retention of 3651 days', { retentionDays: 3651 }],
    ['half a day', { retentionDays: 1.5 }],
    ['a retention as text', { retentionDays: '7' }],
    ['a rate without a burst', { rateLimit: { perSecond: 1 } }],
    ['a rate of 0', { rateLimit: { perSecond: 0, burst: 1 } }],
    ['a keg rule without the field', { lineProtocolKeg: '{measurement}' }],
    ['a keg rule with an unknown placeholder', { lineProtocolKeg: '{field}{host}' }],
    ['a keg rule with a brace', { lineProtocolKeg: '{field}}' }],
    ['an unknown field', { owner: 'me' }],
  ])('rejects %s', async (_case, fields) => {
    expect(await service.admin.call('POST', CELLARS, { name: newName(), ...fields })).toMatchObject({
      status: 400,
      body: { status: 'error', code: 'invalid_request' },
    });
  });

  test.each([
    ['half a document', '{"name":'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ['a trap for careless parsers', '{"__proto__":{"admin":true},"name":"x"}'],
  ])('rejects %s', async (_case, body) => {
    const answer = await fetch(service.url + CELLARS, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: await cookieOfAdmin() },
      body,
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'invalid_json' });
  });

  test('takes a name of 64 characters, once', async () => {
    const name = `${newName()}-${'x'.repeat(64)}`.slice(0, 64);
    expect(await service.admin.call('POST', CELLARS, { name })).toMatchObject({ status: 201 });
    expect(await service.admin.call('POST', CELLARS, { name })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
    // Another case is another name.
    expect(await service.admin.call('POST', CELLARS, { name: name.toUpperCase() })).toMatchObject({
      status: 201,
    });
  });

  test('of two at the same time makes one', async () => {
    const name = newName();
    const answers = await Promise.all([1, 2, 3].map(() => service.admin.call('POST', CELLARS, { name })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect(await auditOf(name)).toHaveLength(1);
  });
});

describe('the retention after a number', () => {
  const retention = async (known?: { epoch: string; number: number }) => {
    const query = known === undefined ? '' : `?epoch=${known.epoch}&after=${known.number}`;
    return (await service.internal<RetentionResponse>('GET', RETENTION_PATH + query)).body;
  };

  test('has the cellars only if one of them has changed', async () => {
    const { name } = await makeCellar(service);
    const first = await retention();
    expect(first.cellars?.map(({ cellar }) => cellar)).toContain(name);
    const { cellars: _, ...rest } = first;
    expect(await retention(first)).toEqual(rest);

    await makeKey(service, name);
    const second = await retention(first);
    expect(second).toEqual({ ...rest, number: first.number + 1 });
    await change(name, { retentionDays: 7 });
    expect((await retention(second)).cellars).toContainEqual({ cellar: name, days: 7 });
  });

  test('has them for a number of another history, of the future, or whose changes are gone', async () => {
    const now = await retention();
    for (const known of [
      { ...now, epoch: 'another' },
      { ...now, number: now.number + 1 },
    ]) {
      expect((await retention(known)).cellars).toEqual(now.cellars);
    }
    await service.pool.query('DELETE FROM changes WHERE number <= $1', [now.number]);
    expect(await retention(now)).not.toHaveProperty('cellars');
    expect((await retention({ ...now, number: now.number - 1 })).cellars).toEqual(now.cellars);
  });
});

describe('listing cellars', () => {
  const list = async (query: string) => {
    const answer = await service.admin.call<{ cellars: CellarView[]; nextCursor: string | null }>(
      'GET',
      `${CELLARS}?${query}`,
    );
    expect(answer.status).toBe(200);
    return answer.body;
  };

  test('goes by name, in pages, and finds parts of names in any case', async () => {
    const stem = newName();
    const names = ['.B', '.a', '.c', '.d', '.e'].map((end) => stem + end);
    for (const name of names.toReversed()) await makeCellar(service, { name });

    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query = `search=${stem.toUpperCase()}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const page = await list(query);
      expect(page.cellars.length).toBeLessThanOrEqual(2);
      found.push(...page.cellars.map(({ name }) => name));
      cursor = page.nextCursor;
    }
    expect(found).toEqual(names);
    expect((await list(`search=${encodeURIComponent('%')}`)).cellars).toEqual([]);
  });

  test('shows archived ones apart, and counts the active keys', async () => {
    const cellar = await makeCellar(service);
    await makeKey(service, cellar.name);
    const key = await makeKey(service, cellar.name);
    await service.admin.call('POST', `${CELLARS}/${cellar.name}/keys/${key.id}/revoke`);
    expect((await list(`search=${cellar.name}`)).cellars).toMatchObject([{ activeKeys: 1 }]);
    expect((await list(`search=${cellar.name}&archived=true`)).cellars).toEqual([]);
    await archive(cellar.name);
    expect((await list(`search=${cellar.name}`)).cellars).toEqual([]);
    expect((await list(`search=${cellar.name}&archived=true`)).cellars).toMatchObject([{ activeKeys: 0 }]);
  });

  test.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'cursor=x',
    'cursor=WzFd',
    'archived=maybe',
    'unknown=1',
    `search=${encodeURIComponent('\u0000')}`,
  ])('rejects ?%s', async (query) => {
    expect(await service.admin.call('GET', `${CELLARS}?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });
});

describe('changing a cellar', () => {
  test('changes what is given, its retention immediately, and records it in the audit log', async () => {
    const cellar = await makeCellar(service, { rateLimit: { perSecond: 5, burst: 50 } });
    expect(await change(cellar.name, { retentionDays: 1 })).toMatchObject({
      status: 200,
      body: { retentionDays: 1, rateLimit: { perSecond: 5, burst: 50 } },
    });
    expect(await retentionOf(cellar.name)).toBe(1);
    expect(await change(cellar.name, { rateLimit: null })).toMatchObject({
      status: 200,
      body: { retentionDays: 1, rateLimit: null },
    });
    const lineProtocolKeg = '{field}{tags}';
    expect(await change(cellar.name, { lineProtocolKeg })).toMatchObject({
      status: 200,
      body: { retentionDays: 1, lineProtocolKeg },
    });
    expect(await auditOf(cellar.name)).toMatchObject([
      {
        action: 'cellar.changed',
        details: {
          before: { lineProtocolKeg: '{measurement}.{field}{tags}' },
          after: { retentionDays: 1, lineProtocolKeg },
        },
      },
      { action: 'cellar.changed', details: { after: { retentionDays: 1, rateLimit: null } } },
      {
        action: 'cellar.changed',
        actor: ADMIN.email,
        address: '127.0.0.1',
        details: { before: { retentionDays: 30 }, after: { retentionDays: 1 } },
      },
      { action: 'cellar.created' },
    ]);
  });

  test.each([
    [{}],
    [{ retentionDays: 0 }],
    [{ name: 'other' }],
    [{ rateLimit: {} }],
    [{ retentionDays: null }],
  ])('rejects %o', async (fields) => {
    const cellar = await makeCellar(service);
    expect(await change(cellar.name, fields)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });

  test('needs one', async () => {
    const rejection = { status: 404, body: { code: 'not_found' } };
    expect(await get('unknown')).toMatchObject(rejection);
    expect(await change('unknown', { retentionDays: 1 })).toMatchObject(rejection);
    expect(await archive('unknown')).toMatchObject(rejection);
    expect(await service.admin.call('GET', `${CELLARS}/unknown/audit`)).toMatchObject(rejection);
  });
});

describe('archiving a cellar', () => {
  test('revokes its keys, keeps its name, and cannot be undone', async () => {
    const cellar = await makeCellar(service);
    const key = await makeKey(service, cellar.name);
    const archived = await archive(cellar.name);
    expect(archived).toMatchObject({ status: 200, body: { activeKeys: 0 } });
    expect(archived.body.archivedAt).not.toBeNull();

    const keyNow = await service.admin.call<KeyView>('GET', `${CELLARS}/${cellar.name}/keys/${key.id}`);
    expect(keyNow.body).toMatchObject({ state: 'revoked', revokedBy: ADMIN.email });
    expect(await service.admin.call('POST', CELLARS, { name: cellar.name })).toMatchObject({ status: 409 });
    expect(await change(cellar.name, { retentionDays: 1 })).toMatchObject({ status: 409 });
    expect(
      await service.admin.call('POST', `${CELLARS}/${cellar.name}/keys`, { name: 'too late' }),
    ).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await retentionOf(cellar.name)).toBe(30);

    expect(await archive(cellar.name)).toMatchObject({ status: 200, body: archived.body });
    const entries = await auditOf(cellar.name);
    expect(entries.filter(({ action }) => action === 'cellar.archived')).toMatchObject([
      { details: { activeKeys: 1 } },
    ]);
  });

  test('says of a key that was revoked before who did that and when', async () => {
    const cellar = await makeCellar(service);
    const { id } = await makeKey(service, cellar.name);
    const path = `${CELLARS}/${cellar.name}/keys/${id}`;
    const revoked = await service.admin.call<KeyView>('POST', `${path}/revoke`);
    const token = await service.admin.call<{ secret: string }>('POST', '/api/v1/tokens', {
      name: 'archiver',
      role: 'owner',
    });
    expect(
      await service.anonymous.call('POST', `${CELLARS}/${cellar.name}/archive`, undefined, {
        authorization: `Bearer ${token.body.secret}`,
      }),
    ).toMatchObject({ status: 200 });
    expect(await service.admin.call('GET', path)).toMatchObject({ body: revoked.body });
  });

  test(
    'takes one short statement however many keys it has, and ends them all',
    { timeout: 120_000 },
    async () => {
      const { name } = await makeCellar(service);
      const key = await makeKey(service, name);
      await service.pool.query(
        `INSERT INTO api_keys (cellar, name, hash, display_prefix, scopes)
       SELECT $1, 'key ' || i, sha256(($1 || i)::bytea), 'cm_abcde', '{ingest}' FROM generate_series(1, 99999) AS i`,
        [name],
      );
      const lookUp = () =>
        service
          .internal<LookupResponse>('POST', LOOKUP_PATH, { hashes: [key.hash] })
          .then(({ body }) => body);
      expect(await lookUp()).toMatchObject({ answers: [{ key: { revokedAt: null } }] });

      const database = createDatabase({
        ...{ url: service.env['DATABASE_URL'] ?? '', name: 'test', connections: 1, maxWaiting: 1 },
        logger: createLogger({ service: 'test', version: '0', level: 'silent' }),
        statementTimeoutMs: 1_000,
      });
      try {
        const commit = createCommit({ database, onCommitted: () => {} });
        const actor = { id: null, name: 'test', address: null };
        expect(await createCellarsRepository({ database, commit }).archive(name, actor)).toMatchObject({
          activeKeys: 0,
        });
      } finally {
        await database.stop();
      }

      const { archivedAt } = (await get(name)).body;
      expect(archivedAt).not.toBeNull();
      await vi.waitFor(
        async () => expect(await lookUp()).toMatchObject({ answers: [{ key: { revokedAt: archivedAt } }] }),
        20_000,
      );
      const keys = `${CELLARS}/${name}/keys`;
      expect(await service.admin.call('GET', `${keys}/${key.id}`)).toMatchObject({
        body: { state: 'revoked', revokedAt: archivedAt, revokedBy: null },
      });
      const list = (state: string) =>
        service.admin.call<{ keys: KeyView[] }>('GET', `${keys}?state=${state}&limit=1`);
      expect((await list('active')).body.keys).toEqual([]);
      expect((await list('revoked')).body.keys).toHaveLength(1);
      expect((await auditOf(name))[0]).toMatchObject({
        action: 'cellar.archived',
        details: { activeKeys: '10000+' },
      });
    },
  );

  test('leaves nothing to change, rotate or revoke', async () => {
    const { name } = await makeCellar(service);
    const { id } = await makeKey(service, name);
    await archive(name);
    const path = `${CELLARS}/${name}/keys/${id}`;
    const before = await service.admin.call<KeyView>('GET', path);
    expect(await service.admin.call('PATCH', path, { expiresAt: null })).toMatchObject({ status: 409 });
    expect(await service.admin.call('POST', `${path}/rotate`, { overlapSeconds: 0 })).toMatchObject({
      status: 409,
    });
    expect(await service.admin.call('POST', `${path}/revoke`)).toMatchObject({
      status: 200,
      body: before.body,
    });
    expect((await auditOf(name))[0]).toMatchObject({ action: 'cellar.archived' });
  });

  test('at the same time as keys are created and revoked leaves no active key', async () => {
    const cellar = await makeCellar(service);
    const keys = await Promise.all([1, 2, 3].map(() => makeKey(service, cellar.name)));
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, (_, i) =>
        service.admin.call('POST', `${CELLARS}/${cellar.name}/keys`, { name: `late ${i}` }),
      ),
      archive(cellar.name),
      ...keys.map(({ id }) => service.admin.call('POST', `${CELLARS}/${cellar.name}/keys/${id}/revoke`)),
    ]);
    expect(answers.every(({ status }) => [200, 201, 409].includes(status))).toBe(true);
    expect(await get(cellar.name)).toMatchObject({ body: { activeKeys: 0 } });
  });
});

async function cookieOfAdmin(): Promise<string> {
  const answer = await service.anonymous.call('POST', '/api/v1/session', ADMIN);
  return answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditView } from '../src/audit/audit-schema.ts';
import { MAX_KEGS } from '../src/kegs/keg-schema.ts';
import type { KegView } from '../src/kegs/keg-schema.ts';
import { makeCellar } from './made.ts';
import { ADMIN, startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

let service: ServiceUnderTest;
let cellar: string;
beforeAll(async () => {
  service = await startServiceUnderTest();
  cellar = (await makeCellar(service)).name;
});
afterAll(() => service.stop());

const NONE = { unit: null, decimals: null, description: null, goodRange: { min: null, max: null } };

const pathOf = (of: string, keg: string) => `/api/v1/cellars/${of}/kegs?keg=${encodeURIComponent(keg)}`;
const put = (keg: string, body: unknown, of = cellar) =>
  service.admin.call<KegView>('PUT', pathOf(of, keg), body);
const remove = (keg: string, of = cellar) => service.admin.call('DELETE', pathOf(of, keg));
const list = async (of = cellar): Promise<KegView[]> =>
  (await service.admin.call<{ kegs: KegView[] }>('GET', `/api/v1/cellars/${of}/kegs`)).body.kegs;
const auditOf = async (of: string): Promise<AuditView[]> =>
  (await service.admin.call<{ entries: AuditView[] }>('GET', `/api/v1/cellars/${of}/audit`)).body.entries;

describe('keg settings', () => {
  test('are replaced as a whole, and removed', async () => {
    const { name } = await makeCellar(service);
    const settings = {
      unit: '°C',
      decimals: 1,
      description: 'Mash temperature, upper sensor',
      goodRange: { min: -0.5, max: 19.25 },
    };
    expect(await put('temperature', settings, name)).toMatchObject({
      status: 200,
      body: { keg: 'temperature', ...settings },
    });
    expect(await put('pressure', { unit: 'bar' }, name)).toMatchObject({ body: { ...NONE, unit: 'bar' } });
    expect(await list(name)).toEqual([
      { keg: 'pressure', ...NONE, unit: 'bar' },
      { keg: 'temperature', ...settings },
    ]);

    expect((await put('temperature', { goodRange: { max: 20 } }, name)).body).toEqual({
      ...{ keg: 'temperature', ...NONE },
      goodRange: { min: null, max: 20 },
    });
    expect(await remove('temperature', name)).toMatchObject({ status: 204 });
    expect(await remove('temperature', name)).toMatchObject({ status: 204 });
    expect(await list(name)).toEqual([{ keg: 'pressure', ...NONE, unit: 'bar' }]);
  });

  test('are audited with their values before and after, once for each change', async () => {
    const { name } = await makeCellar(service);
    const celsius = { ...NONE, unit: '°C' };
    await put('temperature', celsius, name);
    await put('temperature', celsius, name);
    await put('temperature', { unit: '°F' }, name);
    await remove('temperature', name);
    await remove('temperature', name);
    const who = { actor: ADMIN.email, address: '127.0.0.1', cellar: name };
    expect(await auditOf(name)).toMatchObject([
      { ...who, action: 'keg.removed', details: { keg: 'temperature', unit: '°F' } },
      {
        action: 'keg.changed',
        details: { keg: 'temperature', before: celsius, after: { ...NONE, unit: '°F' } },
      },
      { ...who, action: 'keg.changed', details: { keg: 'temperature', before: NONE, after: celsius } },
      { action: 'cellar.created' },
    ]);
  });

  test.each([
    '.',
    '..',
    'a/b',
    'a%2Fb',
    '?keg=other&x=1#y',
    'größe 👍',
    ' ',
    "'; DROP TABLE keg_settings; --",
    '👍'.repeat(256),
  ])('of the keg %j are kept under that name', async (keg) => {
    expect(await put(keg, { unit: 'm' })).toMatchObject({ status: 200, body: { keg, unit: 'm' } });
    expect((await list()).map((each) => each.keg)).toContain(keg);
    expect(await remove(keg)).toMatchObject({ status: 204 });
    expect((await list()).map((each) => each.keg)).not.toContain(keg);
  });

  test.each([
    ['an empty unit', { unit: '' }],
    ['a unit with a line break', { unit: 'a\nb' }],
    ['a unit of 33 characters', { unit: 'x'.repeat(33) }],
    ['ten decimals', { decimals: 10 }],
    ['half a decimal', { decimals: 1.5 }],
    ['decimals as text', { decimals: '1' }],
    ['a description of 201 characters', { description: 'x'.repeat(201) }],
    ['a range in reverse', { goodRange: { min: 2, max: 1 } }],
    ['a range with text', { goodRange: { min: '2' } }],
    ['an unknown limit', { goodRange: { low: 2 } }],
    ['an infinite limit', '{"goodRange":{"max":1e999}}'],
    ['an unknown setting', { colour: 'red' }],
    ['a list', []],
  ])('reject %s', async (_case, body) => {
    expect(await put('rejected', body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect((await list()).map(({ keg }) => keg)).not.toContain('rejected');
  });

  test.each([
    ['no keg', ''],
    ['an empty keg', '?keg='],
    ['a control character', '?keg=a%00b'],
    ['a name of 257 characters', `?keg=${'x'.repeat(257)}`],
    ['two kegs', '?keg=a&keg=b'],
    ['an unknown parameter', '?keg=a&rack=b'],
  ])('reject %s in the URL', async (_case, query) => {
    for (const method of ['PUT', 'DELETE']) {
      const path = `/api/v1/cellars/${cellar}/kegs${query}`;
      expect(await service.admin.call(method, path, method === 'PUT' ? {} : undefined)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      });
    }
  });

  test('of an unknown or archived cellar cannot be changed', async () => {
    const missing = { status: 404, body: { code: 'not_found' } };
    expect(await put('a', {}, 'no-such-cellar')).toMatchObject(missing);
    expect(await remove('a', 'no-such-cellar')).toMatchObject(missing);
    expect(await service.admin.call('GET', '/api/v1/cellars/no-such-cellar/kegs')).toMatchObject(missing);

    const { name } = await makeCellar(service);
    await put('temperature', { unit: '°C' }, name);
    await service.admin.call('POST', `/api/v1/cellars/${name}/archive`);
    const archived = { status: 409, body: { code: 'conflict' } };
    expect(await put('temperature', { unit: 'K' }, name)).toMatchObject(archived);
    expect(await remove('temperature', name)).toMatchObject(archived);
    expect(await list(name)).toMatchObject([{ keg: 'temperature', unit: '°C' }]);
  });

  test('are limited in number, also when requests come concurrently', async () => {
    const { name } = await makeCellar(service);
    await service.pool.query(
      `INSERT INTO keg_settings (cellar, keg) SELECT $1, 'keg ' || i FROM generate_series(1, $2::int) AS i`,
      [name, MAX_KEGS - 1],
    );
    const responses = await Promise.all(['a', 'b', 'c'].map((keg) => put(keg, { unit: 'm' }, name)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(await list(name)).toHaveLength(MAX_KEGS);
    // Kegs that are on the list can still be changed.
    expect(await put('keg 1', { unit: 's' }, name)).toMatchObject({ status: 200 });
  });
});

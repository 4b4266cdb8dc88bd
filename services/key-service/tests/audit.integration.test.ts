import { text } from 'node:stream/consumers';
import type { QueryResultRow } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportAudit } from '../src/audit/export-audit.ts';
import type { Queryable } from '../src/postgres/database.ts';
import { makeCellar, makeKey } from './made.ts';
import { ADMIN, startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

let service: ServiceUnderTest;
let cookie: string;
beforeAll(async () => {
  service = await startServiceUnderTest();
  const signedIn = await service.anonymous.call('POST', '/api/v1/session', ADMIN);
  cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
});
afterAll(() => service.stop());

const download = (path: string) => fetch(service.url + path, { headers: { cookie } });

/** Each line as an object, by the names in the header. */
function parse(csv: string): Record<string, string>[] {
  const lines = csv.split('\r\n').slice(0, -1);
  const rows = lines.map((line) =>
    [...line.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, cell = '']) => cell.replaceAll('""', '"')),
  );
  const [header = [], ...entries] = rows;
  return entries.map((cells) => Object.fromEntries(header.map((name, i) => [name, cells[i] ?? ''])));
}

async function linesOf(path: string): Promise<Record<string, string>[]> {
  const answer = await download(path);
  expect(answer.status).toBe(200);
  return parse(await answer.text());
}

describe('the audit', () => {
  test('says who did what, when and from where, for each operation on a key', async () => {
    const { name } = await makeCellar(service);
    const before = Date.now();
    const key = await makeKey(service, name, { name: '=HYPERLINK("https://evil.example.com")' });
    const path = `/api/v1/cellars/${name}/keys/${key.id}`;
    await service.admin.call('PATCH', path, { name: 'renamed' });
    await service.admin.call('POST', `${path}/rotate`, { overlapSeconds: 1 });
    await service.admin.call('POST', `${path}/revoke`);

    const lines = await linesOf(`/api/v1/cellars/${name}/audit.csv`);
    expect(lines.map(({ action }) => action)).toEqual([
      'key.revoked',
      'key.rotated',
      'key.changed',
      'key.created',
      'cellar.created',
    ]);
    for (const line of lines) {
      expect(line).toMatchObject({ actor: ADMIN.email, actorType: 'user', address: '127.0.0.1' });
      expect(line['cellar']).toBe(name);
    }
    const created = lines[3];
    expect(created?.['keyId']).toBe(key.id);
    expect(Math.abs(Date.parse(created?.['at'] ?? '') - before)).toBeLessThan(60_000);
    expect(JSON.parse(created?.['details'] ?? '')).toMatchObject({
      name: '=HYPERLINK("https://evil.example.com")',
    });
    expect(JSON.stringify(lines)).not.toContain(key.secret);
  });

  test('of everything is a file of its own, with people in it', async () => {
    const answer = await download('/api/v1/audit.csv');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"');
    const actions = parse(await answer.text()).map(({ action }) => action);
    expect(actions).toContain('session.opened');
    expect(actions.at(-1)).toBe('user.created');
  });

  test('is exported whole, each entry once, however many there are', async () => {
    const { name } = await makeCellar(service);
    await service.pool.query(
      `INSERT INTO audit (actor, action, cellar, details)
       SELECT '=cmd' || n, 'test', $1, jsonb_build_object('n', n) FROM generate_series(1, 2500) AS n`,
      [name],
    );
    const lines = await linesOf(`/api/v1/cellars/${name}/audit.csv`);
    expect(lines).toHaveLength(2_501);
    expect(new Set(lines.map(({ id }) => id)).size).toBe(2_501);
    expect(lines[0]).toMatchObject({ actor: "'=cmd2500", actorType: 'service', details: '{"n":2500}' });
  });

  test('of a span of time has what is in it', async () => {
    const { name } = await makeCellar(service);
    await service.pool.query(
      `INSERT INTO audit (at, actor, action, cellar)
       SELECT '2020-01-01T00:00:00Z'::timestamptz + make_interval(days => n), 'x', 'day' || n, $1
       FROM generate_series(0, 9) AS n`,
      [name],
    );
    const span = 'from=2020-01-03T00:00:00Z&to=2020-01-05T00:00:00Z';
    const lines = await linesOf(`/api/v1/cellars/${name}/audit.csv?${span}`);
    expect(lines.map(({ action }) => action)).toEqual(['day3', 'day2']);
    for (const wrong of ['from=yesterday', 'from=2020-13-45T00:00:00Z', 'since=2020-01-03T00:00:00Z'])
      expect((await download(`/api/v1/audit.csv?${wrong}`)).status, wrong).toBe(400);
    expect((await download('/api/v1/cellars/no-such-cellar/audit.csv')).status).toBe(404);
  });

  test('lists actions and actors, also as a file', async () => {
    const { name } = await makeCellar(service);
    await service.pool.query(
      `INSERT INTO audit (actor, action, cellar, at)
       SELECT CASE n % 2 WHEN 0 THEN 'Mara_1@example.com' ELSE 'nightly job' END,
              CASE n % 3 WHEN 0 THEN 'key.revoked' ELSE 'key.created' END, $1,
              now() - n * interval '1 day'
       FROM generate_series(1, 12) AS n`,
      [name],
    );
    const of = `/api/v1/cellars/${name}/audit`;
    for (const [query, count] of [
      ['action=key.revoked', 4],
      ['actor=mara_', 6],
      ['actor=NIGHTLY&action=key.revoked', 2],
      ['actor=nobody', 0],
      [`action=key.created&from=${daysAgo(3.5)}`, 2],
      [`to=${daysAgo(10.5)}`, 2],
      [`from=${daysAgo(6.5)}&to=${daysAgo(3.5)}`, 3],
    ] as const) {
      const listed: { actor: string; action: string }[] = [];
      let cursor = '';
      do {
        const page = await service.admin.call<{ entries: typeof listed; nextCursor: string | null }>(
          'GET',
          `${of}?${query}&limit=1${cursor}`,
        );
        listed.push(...page.body.entries);
        cursor = page.body.nextCursor === null ? '' : `&cursor=${page.body.nextCursor}`;
      } while (cursor !== '' && listed.length <= count);
      expect(listed, query).toHaveLength(count);
      const file = await linesOf(`/api/v1/cellars/${name}/audit.csv?${query}`);
      expect(
        file.map(({ actor, action }) => ({ actor, action })),
        query,
      ).toEqual(listed.map(({ actor, action }) => ({ actor, action })));
    }
    for (const wrong of ['action=KEY', 'actor=', 'actor=%00', 'from=yesterday'])
      expect(await service.admin.call('GET', `/api/v1/audit?${wrong}`), wrong).toMatchObject({ status: 400 });
  });

  test('that is too long for a file is rejected, not cut', async () => {
    const database: Queryable = {
      async query<Row extends QueryResultRow>(sql: string, values: readonly unknown[] = []) {
        return (await service.pool.query<Row>(sql, [...values])).rows;
      },
    };
    const { name } = await makeCellar(service);
    for (let i = 0; i < 3; i++) await makeKey(service, name);
    expect(parse(await text(await exportAudit(database, { cellar: name }, 4)))).toHaveLength(4);
    await expect(exportAudit(database, { cellar: name }, 3)).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}

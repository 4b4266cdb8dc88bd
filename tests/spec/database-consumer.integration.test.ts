import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

/* The SQL of docs/topic.md keeps each reading once, and no two as one. */

const page = await readFile(join(import.meta.dirname, '../../docs/topic.md'), 'utf8');
const [create = '', insert = ''] = [...page.matchAll(/```sql\n([^`]*)```/g)].map(([, sql]) => sql);

const client = new pg.Client({ connectionString: inject('product').databaseUrl });
beforeAll(async () => {
  await client.connect();
  await client.query(create.replace('CREATE TABLE', 'CREATE TEMPORARY TABLE'));
});
afterAll(() => client.end());

const READING = { cellar: 'demo', rack: 'r', keg: 'k', timestamp: '2026-11-21T06:30:40Z', value: '7' };
const at = (timestamp: string) => ({ timestamp: `2026-11-21T06:${timestamp}Z` });

async function rowsOf(changes: Partial<typeof READING>[]): Promise<number> {
  await client.query('TRUNCATE readings');
  for (const change of changes) {
    const { cellar, rack, keg, timestamp, value } = { ...READING, ...change };
    await client.query(insert, [cellar, rack, keg, timestamp, value, '2026-11-21T06:30:41.000Z']);
  }
  return (await client.query('SELECT FROM readings')).rowCount ?? 0;
}

test.each([
  [[{}, { value: '7.0' }, { value: '70e-1' }]],
  [[{ value: '0' }, { value: '-0' }, { value: '0.0' }]],
  [[at('30:40'), at('30:40.0'), at('30:40.000000000')]],
  [[at('30:40.12'), at('30:40.120'), at('30:40.120000000')]],
  [[at('30:00'), at('30:00.0')]],
])('one reading: %j', async (changes) => {
  expect(await rowsOf(changes)).toBe(1);
});

test.each([
  [[at('30:40.1234567'), at('30:40.123456789'), at('30:40.123456')]],
  [[at('30:40'), at('30:04'), at('30:00'), at('30:40.000000001')]],
  [[{ rack: 'A' }, { rack: 'a' }, { rack: 'ä' }, { rack: 'a\u0308' }, { rack: 'a ' }]],
  [[{ value: '7' }, { value: '7.000000000000001' }, { value: '10000000000000000000000' }]],
])('as many readings as there are: %j', async (changes) => {
  expect(await rowsOf(changes)).toBe(changes.length);
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newKey, newKeyOf } from '@cellarman/key-settings';
import { readKeyRows } from '../src/import/read-key-rows.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cellarman-rows-'));
});
afterEach(() => rm(directory, { recursive: true }));

async function read(content: string | Buffer, cellar?: string) {
  const file = join(directory, 'keys.csv');
  await writeFile(file, content);
  return readKeyRows(file, cellar);
}

test('columns stand in any order, as a spreadsheet writes them', async () => {
  const rows = await read(
    '\uFEFFscopes,name,rack,rate,burst,expires,cellar\r\n"read ingest","Halle 3, ""Nord""",press-1,2.5,,2099-01-31,press\r\n,b,,,,,\r\n',
    'demo',
  );
  expect(rows.map(newKeyOf)).toEqual([
    {
      name: 'Halle 3, "Nord"',
      scopes: ['read', 'ingest'],
      rack: 'press-1',
      expiresAt: '2099-01-31T00:00:00.000Z',
      rateLimit: { perSecond: 2.5, burst: 3 },
    },
    { name: 'b', scopes: ['ingest'] },
  ]);
  expect(rows.map(({ cellar, line }) => [cellar, line])).toEqual([
    ['press', 2],
    ['demo', 3],
  ]);
});

test.each(['ingest read', 'ingest,read', ' read, ingest;'])(
  'scopes are %j in a row and in --scopes',
  async (scopes) => {
    const [row] = await read(`name,scopes\na,"${scopes}"`, 'demo');
    expect(row && newKeyOf(row).scopes.toSorted()).toEqual(['ingest', 'read']);
    expect(newKey('a', { scopes }).scopes.toSorted()).toEqual(['ingest', 'read']);
  },
);

test('all errors are reported together, with their lines', async () => {
  const faulty = [
    'name,rack,rack_prefix,scopes,expires,rate,burst',
    'a,r,p,,,,',
    'b,,,write,,,',
    'c,,,,tomorrow,,',
    'd,,,,,-1,',
    'e,,,,,,5',
    ',,,,,,',
    'a,,,,,,',
    '"f\u0007",,,,,,',
    'g,,,,2099-02-30,,',
  ];
  await expect(read(faulty.join('\n'), 'demo')).rejects.toThrow(
    /line 2: .*not both; line 3: .*not write; line 4: .*not tomorrow; line 5: .*not -1; line 6: .*needs a rate; line 7: .*empty; line 8: .*already used in line 2; line 9: .*control.*; line 10: .*not 2099-02-30/,
  );
});

test.each([
  ['an unknown column', 'name,colour\na,red', 'unknown column "colour"'],
  ['no column for the name', 'rack\na', 'the column "name" is missing'],
  ['no row', 'name\n', 'the file has no rows'],
  ['a row that is too short', 'name,rack\na', 'the file is not valid CSV'],
  ['no cellar', 'name\na', 'the cellar is missing'],
  ['bytes that are no text', Buffer.from([0x6e, 0x61, 0x6d, 0x65, 0x0a, 0xff]), 'is not UTF-8'],
])('%s is an error', async (_case, content, fault) => {
  await expect(read(content)).rejects.toThrow(fault);
});

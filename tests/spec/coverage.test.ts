import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { coveragePage } from './tags/coverage-page.ts';
import { taggedTests, tagsIn } from './tags/tagged-tests.ts';
import { REQUIREMENTS, requirement } from './requirements/requirement.ts';

const tests = await taggedTests();
const page = join(import.meta.dirname, '..', '..', 'docs', 'spec-coverage.md');

test('every requirement has a test', () => {
  const held = new Set(tests.flatMap(({ ids }) => ids));
  expect(Object.keys(REQUIREMENTS).filter((id) => !held.has(id))).toEqual([]);
});

test('every tag is a requirement', () => {
  const unknown = tests.flatMap(({ file, ids }) =>
    ids.filter((id) => !(id in REQUIREMENTS)).map((id) => `${file}: ${id}`),
  );
  expect(unknown).toEqual([]);
});

test('every tag is the title of a test that runs', () => {
  expect(tests.filter(({ runs }) => !runs)).toEqual([]);
});

test('docs/spec-coverage.md is what the tags say; else run: npx -y pnpm@12 generate', async () => {
  expect(await readFile(page, 'utf8')).toBe(await coveragePage(tests));
});

test('the reader of tags sees ids, titles and what does not run', () => {
  const source = `
    test(requirement('a.b', 'one'), run);
    test(requirement(['c', 'd'], 'two'), run);
    test.skip(requirement('e', 'three'), run);
    describe.skip('group', () => { test(requirement('f', 'four'), run); });
    const loose = requirement('g', 'five');`;
  expect(tagsIn('x.ts', source)).toEqual([
    { file: 'x.ts', ids: ['a.b'], title: 'one', runs: true },
    { file: 'x.ts', ids: ['c', 'd'], title: 'two', runs: true },
    { file: 'x.ts', ids: ['e'], title: 'three', runs: false },
    { file: 'x.ts', ids: ['f'], title: 'four', runs: false },
    { file: 'x.ts', ids: ['g'], title: 'five', runs: false },
  ]);
  expect(() => tagsIn('x.ts', 'test(requirement(id, title), run)')).toThrow('must be literals');
});

test('a tag stands in the title, so that a failure names the requirement', () => {
  expect(requirement(['auth.absent', 'errors.key'], 'no header')).toBe(
    'no header [spec: auth.absent, errors.key]',
  );
});

import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { chartDocuments } from './chart/documents.ts';
import { CHART, ROOT } from './chart/paths.ts';

const documents = [...(await chartDocuments())].map(
  ([file, text]) => [relative(ROOT, file), file, text] as const,
);

test.each(documents)('%s is what the code says; else run: npx -y pnpm@12 generate', async (_, file, text) => {
  expect(await readFile(file, 'utf8')).toBe(text);
});

test('the chart renders the same with and without a cluster, as Argo CD needs it', async () => {
  const templates = await readdir(join(CHART, 'templates'), { recursive: true, withFileTypes: true });
  const files = templates
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  expect(files.length).toBeGreaterThan(20);
  const asking: string[] = [];
  for (const file of files) {
    if (/\{\{[^}]*\b(lookup|genCA|rand[A-Z]\w+|uuidv4|now)\b/.test(await readFile(file, 'utf8')))
      asking.push(file);
  }
  expect(asking).toEqual([]);
});

import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { expect, test } from 'vitest';
import { chartDocuments } from './chart/documents.ts';
import { ROOT } from './chart/paths.ts';

const documents = [...(await chartDocuments())].map(
  ([file, text]) => [relative(ROOT, file), file, text] as const,
);

test.each(documents)('%s is what the code says; else run: npx -y pnpm@12 generate', async (_, file, text) => {
  expect(await readFile(file, 'utf8')).toBe(text);
});

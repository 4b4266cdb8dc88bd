import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documents, GENERATED_FOLDERS } from '../documents/documents.ts';

const docs = join(import.meta.dirname, '..', '..', '..', 'docs');
const generated = await documents();

describe('generated documents', () => {
  it.each([...generated])(
    'docs/%s is what the code says; else run: npx -y pnpm@12 generate',
    async (path, text) => {
      expect(await readFile(join(docs, path), 'utf8')).toBe(text);
    },
  );

  it.each(GENERATED_FOLDERS)('docs/%s/ holds no file that nothing generates', async (folder) => {
    const files = (await readdir(join(docs, folder))).map((file) => `${folder}/${file}`);
    expect(files.sort()).toEqual(
      [...generated.keys()].filter((path) => path.startsWith(`${folder}/`)).sort(),
    );
  });
});

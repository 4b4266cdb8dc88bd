/* eslint-disable no-console -- the result goes to the terminal */
/** `pnpm generate`: writes every document in `docs/` that is made of the code. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { documents } from './documents/documents.ts';

const root = join(import.meta.dirname, '..', '..');

for (const [path, text] of await documents()) {
  const file = join(root, 'docs', path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  console.log(relative(root, file));
}

import { readFile } from 'node:fs/promises';
import { InvalidInput, parseKeyRows } from '@cellarman/key-settings';
import type { KeyRow } from '@cellarman/key-settings';

/** @throws {InvalidInput} with all errors of the file, before any key is created */
export async function readKeyRows(file: string, defaultCellar: string | undefined): Promise<KeyRow[]> {
  const content = await readFile(file).catch((cause: unknown) => {
    throw new InvalidInput(`cannot read ${file}: ${(cause as Error).message}`);
  });
  const { rows, errors } = parseKeyRows(content, defaultCellar);
  if (errors.length === 0) return rows;
  const list = errors.map(({ line, message }) => `line ${line}: ${message}`).join('; ');
  throw new InvalidInput(`${file}: no key was created: ${list}`);
}

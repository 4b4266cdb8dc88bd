import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { EXIT, Failure } from '../failure.ts';
import { syncDirectory } from './secrets-file.ts';

/**
 * The name of an import, which all its requests carry in `Idempotency-Key`: by it a run finds what an earlier run of the
 * same import has requested. It is in a file beside the secrets from before the first request until the last key is saved.
 */
export interface ImportName {
  /** Returns what an earlier run left that did not complete. */
  left(): Promise<string | undefined>;
  /** Resolves when the disk has a new one. */
  begin(): Promise<string>;
  end(): Promise<void>;
}

export function importName(secretsPath: string): ImportName {
  const path = `${secretsPath}.import`;
  return {
    async left() {
      const text = await readFile(path, 'utf8').catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      });
      if (text === undefined || /^[0-9a-f-]{36}\n$/.test(text)) return text?.trim();
      throw new Failure(EXIT.usage, `${path} was not written by an import, or is damaged`);
    },
    async begin() {
      const name = randomUUID();
      await writeFile(`${path}.new`, `${name}\n`, { mode: 0o600, flush: true });
      await rename(`${path}.new`, path);
      await syncDirectory(path);
      return name;
    },
    end: () => rm(path, { force: true }),
  };
}

import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { EXIT, Failure } from '../failure.ts';
import { syncDirectory } from './secrets-file.ts';

/**
 * The name of an import, which all its requests carry: by it a run finds what an earlier run of the same import has
 * asked for. It stands in a file beside the secrets from before the first request until the last key is saved.
 */
export interface ImportName {
  /** What an earlier run, which did not come to its end, has left. */
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
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      });
      if (text === undefined) return undefined;
      if (/^[0-9a-f-]{36}\n$/.test(text)) return text.trim();
      throw new Failure(EXIT.usage, `${path} does not hold what an import has written there`);
    },
    async begin() {
      const name = randomUUID();
      const handle = await open(`${path}.new`, 'w', 0o600);
      try {
        await handle.writeFile(`${name}\n`);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(`${path}.new`, path);
      await syncDirectory(path);
      return name;
    },
    end: () => rm(path, { force: true }),
  };
}

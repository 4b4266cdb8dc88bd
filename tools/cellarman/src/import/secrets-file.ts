import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasApiKeyFormat } from '@cellarman/api-key';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { EXIT, Failure } from '../failure.ts';
import { COLUMNS, rowKey } from '@cellarman/key-settings';
import type { KeyRow } from '@cellarman/key-settings';
import { lockFile } from './lock-file.ts';

/** The row as it was, and the key that was made for it. */
export type SavedKey = Omit<KeyRow, 'line'> & { key_id: string; secret: string };

/** The file that the secrets go to. A key counts as made only when its line is on the disk. */
export interface SecretsFile {
  /** Whether there was nothing in it when it was opened. */
  isNew: boolean;
  /** What earlier runs have saved, by `rowKey`. */
  saved: Map<string, SavedKey>;
  /** Resolves when the disk has it. After a failure nothing more is taken. */
  append(row: KeyRow, made: { id: string; secret: string }): Promise<void>;
  close(): Promise<void>;
}

const HEADING = [...COLUMNS, 'key_id', 'secret'];
const PRIVATE = 0o600;

/** @throws {Failure} when another run has it open, or it is no such file */
export async function openSecretsFile(path: string): Promise<SecretsFile> {
  const handle = await open(path, 'a+', PRIVATE).catch((cause: unknown) => {
    throw new Failure(EXIT.usage, `cannot write ${path}: ${(cause as Error).message}`);
  });
  let unlock: (() => Promise<void>) | undefined;
  try {
    unlock = await lockFile(handle, path);
    const found = await handle.readFile();
    requireSecrets(found.toString('utf8'), path);
    await handle.chmod(PRIVATE);
    const content = await keepWholeLines(handle, found);
    const isNew = content === '';
    if (isNew) await begin(handle, path);
    const release = unlock;
    return {
      isNew,
      saved: isNew ? new Map<string, SavedKey>() : readSaved(content, path),
      append: createAppender(handle),
      close: async () => {
        await handle.close();
        await release();
      },
    };
  } catch (error) {
    await handle.close();
    await unlock?.();
    throw error;
  }
}

/** Leaves a file of other content alone. A run that was killed early leaves a truncated heading. */
function requireSecrets(content: string, path: string): void {
  const heading = stringify([HEADING]);
  if (content.startsWith(heading) || heading.startsWith(content)) return;
  throw new Failure(EXIT.usage, `${path} does not contain the secrets of an import: specify another --out`);
}

/**
 * A run that was killed while it wrote leaves a part of a line. Its key is revoked when its row is made again. Where only the
 * line's end is missing, as some editors leave it, the secret is whole, because it has a check sum: the end is put back.
 */
async function keepWholeLines(handle: FileHandle, content: Buffer): Promise<string> {
  const end = content.lastIndexOf('\n') + 1;
  if (end === content.length) return content.toString('utf8');
  if (end > 0 && readLine(content.toString('utf8', end)) !== undefined) {
    await handle.appendFile('\n');
    await handle.datasync();
    return `${content.toString('utf8')}\n`;
  }
  await handle.truncate(end);
  await handle.datasync();
  return content.toString('utf8', 0, end);
}

async function begin(handle: FileHandle, path: string): Promise<void> {
  await handle.appendFile(stringify([HEADING]));
  await handle.sync();
  await syncDirectory(path);
}

/** The name of a new file is on the disk when its directory is. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(dirname(path), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function readSaved(content: string, path: string): Map<string, SavedKey> {
  const [, ...lines] = content.trimEnd().split('\n');
  const saved = new Map<string, SavedKey>();
  for (const [place, line] of lines.entries()) {
    const key = readLine(line);
    if (key === undefined) {
      const advice = 'Correct the line, or revoke its key and remove the line.';
      throw new Failure(EXIT.usage, `line ${place + 2} of ${path} is damaged. ${advice}`);
    }
    saved.set(rowKey(key), key);
  }
  return saved;
}

function readLine(line: string): SavedKey | undefined {
  try {
    const [record] = parse(line, { columns: HEADING });
    const key = record as SavedKey | undefined;
    return key !== undefined && hasApiKeyFormat(key.secret) ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Whatever comes while the disk is busy is written together, and waits for one fsync. */
function createAppender(handle: FileHandle): SecretsFile['append'] {
  let lines: string[] = [];
  let isBroken = false;
  let writing = Promise.resolve();

  async function flush(): Promise<void> {
    const text = lines.join('');
    lines = [];
    if (text === '') return;
    // Behind a line that was half written nothing may stand.
    if (isBroken) throw new Failure(EXIT.rejected, 'cannot write the file with the secrets');
    isBroken = true;
    await handle.appendFile(text);
    await handle.datasync();
    isBroken = false;
  }

  return (row, { id, secret }) => {
    lines.push(stringify([[...COLUMNS.map((column) => row[column]), id, secret]]));
    const written = writing.then(flush);
    writing = written.catch(() => undefined);
    return written;
  };
}

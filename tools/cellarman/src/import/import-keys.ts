import { createHash } from 'node:crypto';
import { atOnce } from '../at-once.ts';
import { EXIT, Failure } from '../failure.ts';
import type { KeyService } from '../http/key-service.ts';
import { makeKey, makeKeys } from '../keys/make-key.ts';
import type { KeyRequest } from '../keys/make-key.ts';
import type { ImportName } from './import-name.ts';
import { COLUMNS, newKeyOf, rowKey } from '@cellarman/key-settings';
import type { KeyRow } from '@cellarman/key-settings';
import { rejectTakenNames } from './reject-taken-names.ts';
import type { SecretsFile } from './secrets-file.ts';

export interface ImportOptions {
  keyService: KeyService;
  rows: readonly KeyRow[];
  file: SecretsFile;
  name: ImportName;
  allowSameNames: boolean;
  concurrency: number;
  /** Ends it in order: the keys that are being made are saved. */
  stop: AbortSignal;
  /** Shows while it runs. */
  onCount: (count: ImportCount) => void;
  onLost: (row: KeyRow, keyId: string) => void;
  onRejected: (row: KeyRow, reason: Failure) => void;
}

export interface ImportCount {
  rows: number;
  /** By earlier runs. */
  saved: number;
  created: number;
  rejected: number;
}

/**
 * Creates a key for each row that has none in the file with the secrets.
 *
 * It may be killed at any point and run again. Keys that were created but not saved are found by their idempotency keys, see
 * `makeKey`.
 */
export async function importKeys(options: ImportOptions): Promise<ImportCount> {
  const { keyService, rows, file, name, concurrency, stop } = options;
  rejectChangedRows(rows, file);
  const open = rows.filter((row) => !file.saved.has(rowKey(row)));
  const count = { rows: rows.length, saved: rows.length - open.length, created: 0, rejected: 0 };
  options.onCount(count);

  let left = await name.left();
  if (open.length > 0) {
    if (left !== undefined && file.isNew) throw lostSecrets();
    if (left === undefined) {
      if (!options.allowSameNames) await rejectTakenNames(keyService, open);
      left = await name.begin();
    }
    const requests = open.map((row) => ({
      ...{ row, key: newKeyOf(row) },
      requestName: `import/${left}/${shortHash(rowKey(row))}`,
    }));
    await atOnce(inBulk(requests), { most: Math.min(MOST_BULK, concurrency), stop }, makeRows);
  }
  if (count.saved + count.created === rows.length) await name.end();
  return count;

  async function makeRows(requests: readonly RowRequest[]): Promise<void> {
    const made = await makeKeys(keyService, { cellar: requests[0]?.row.cellar ?? '', requests });
    await Promise.all(requests.map(async ({ row }, n) => made[n] && save(row, made[n])));
    const each = requests.filter((_, n) => made[n] === undefined);
    await atOnce(each, { most: concurrency, stop }, makeRow);
  }

  async function save(row: KeyRow, made: { id: string; secret: string }): Promise<void> {
    await file.append(row, made);
    count.created += 1;
    options.onCount(count);
  }

  async function makeRow({ row, key, requestName }: RowRequest): Promise<void> {
    try {
      const made = await makeKey(keyService, { cellar: row.cellar, key, requestName });
      for (const id of made.lost) options.onLost(row, id);
      await save(row, { id: made.key.id, secret: made.secret });
    } catch (error) {
      // Every other error would affect the other rows too.
      if (!(error instanceof Failure) || error.code !== 'invalid_request') throw error;
      count.rejected += 1;
      options.onRejected(row, error);
      options.onCount(count);
    }
  }
}

interface RowRequest extends KeyRequest {
  row: KeyRow;
}

/** Each takes the lock of its cellar. */
const MOST_BULK = 2;
const KEYS_PER_REQUEST = 1_000;

/** Splits requests into those of one cellar, up to 1,000 each. */
function inBulk(requests: readonly RowRequest[]): RowRequest[][] {
  const byCellar = Map.groupBy(requests, ({ row }) => row.cellar);
  return [...byCellar.values()].flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / KEYS_PER_REQUEST) }, (_, n) =>
      all.slice(n * KEYS_PER_REQUEST, (n + 1) * KEYS_PER_REQUEST),
    ),
  );
}

function rejectChangedRows(rows: readonly KeyRow[], file: SecretsFile): void {
  const changed = rows.filter((row) => {
    const saved = file.saved.get(rowKey(row));
    return saved !== undefined && COLUMNS.some((column) => saved[column] !== row[column]);
  });
  const [first] = changed;
  if (first === undefined) return;
  const what = `${changed.length} rows were changed after their keys were created, such as line ${first.line} (“${first.name}”)`;
  throw new Failure(EXIT.usage, `${what}. Restore their settings, or give them new names.`);
}

function lostSecrets(): Failure {
  const what = 'an import with this --out is incomplete, but the file with its secrets is missing';
  const advice =
    'Restore the file to continue. To start again, delete the file that ends in .import; the keys that were created stay active until you revoke them.';
  return new Failure(EXIT.usage, `${what}. ${advice}`);
}

/** Names of requests are short and plain; 132 bits keep any two rows apart. */
function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

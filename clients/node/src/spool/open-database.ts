import { existsSync, renameSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { ClientError } from '../client-error.ts';

const APPLICATION_ID = 1129141072;
const VERSION = 1;
/** Primary result codes of SQLite. */
const BUSY = 5;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const NOT_A_DATABASE = 26;

const PRAGMAS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA journal_size_limit = 16777216;`;
const SCHEMA = `
  CREATE TABLE readings (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, body TEXT NOT NULL);
  CREATE TABLE set_aside (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, body TEXT NOT NULL, code TEXT NOT NULL, error TEXT NOT NULL
  );
  CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${VERSION};`;

/**
 * Opens the spool and takes its lock.
 *
 * @throws {ClientError} `spool_locked`, `spool_failed`; errors of a broken file as they are: see {@link isBroken}
 */
export function openDatabase(path: string): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path);
    // Before WAL: the lock belongs to the connection, dies with the process, and there is no shared memory file.
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    const isNew = identify(db, path);
    db.exec(PRAGMAS);
    db.exec('BEGIN EXCLUSIVE');
    if (isNew) db.exec(SCHEMA);
    db.exec('COMMIT');
    // Found now rather than by the first put.
    db.prepare('SELECT id, at, body FROM readings ORDER BY id LIMIT 1').get();
    return db;
  } catch (cause) {
    close(db);
    if (cause instanceof ClientError || isBroken(cause)) throw cause;
    if (resultCode(cause) === BUSY)
      throw new ClientError('spool_locked', `another client has ${path} open`, { cause });
    throw new ClientError('spool_failed', `${path}: ${(cause as Error).message}`, { cause });
  }
}

/** @returns whether the file is empty */
function identify(db: DatabaseSync, path: string): boolean {
  const version = db.prepare('PRAGMA user_version').get()?.['user_version'];
  const application = db.prepare('PRAGMA application_id').get()?.['application_id'];
  if (application === APPLICATION_ID && version === VERSION) return false;
  if (db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined) return true;
  const found = `application ${String(application)}, version ${String(version)}`;
  throw new ClientError('spool_failed', `${path} is not a spool of this version: ${found}`);
}

/** Renames a broken file, so that it can be examined, and opens a new one with what is readable of it. */
export function replaceBroken(path: string): DatabaseSync {
  const broken = `${path}.broken-${Date.now()}`;
  for (const suffix of ['', '-wal', '-journal'])
    if (existsSync(path + suffix)) renameSync(path + suffix, broken + suffix);
  const db = openDatabase(path);
  let old: DatabaseSync | undefined;
  db.exec('BEGIN');
  try {
    // Else SQLite reads nothing of a file that is shorter than its header states.
    old = new DatabaseSync(broken, { defensive: false });
    old.exec('PRAGMA writable_schema = ON');
    const insert = db.prepare('INSERT OR IGNORE INTO readings (id, at, body) VALUES (?, ?, ?)');
    for (const { id, at, body } of old.prepare('SELECT id, at, body FROM readings ORDER BY id').iterate())
      if (isBody(body)) insert.run(id as number, at as number, body);
  } catch (error) {
    if (resultCode(error) === undefined) throw error;
    // Nothing more can be read.
  } finally {
    close(old);
  }
  db.exec(`
    INSERT OR REPLACE INTO counters SELECT 'waiting', count(*) FROM readings;
    INSERT OR REPLACE INTO counters SELECT 'bytes', coalesce(sum(length(CAST(body AS BLOB))), 0) FROM readings;
    COMMIT`);
  return db;
}

/** SQLite has no checksums, so a row of a cut file may be zeros. A line feed would shift the lines of a request. */
export function isBody(text: unknown): text is string {
  return typeof text === 'string' && text.startsWith('{') && text.endsWith('}') && !text.includes('\n');
}

export class BrokenRow extends Error {}

export function isBroken(error: unknown): boolean {
  if (error instanceof BrokenRow) return true;
  const code = resultCode(error);
  return code === CORRUPT || code === NOT_A_DATABASE;
}

/** Whether a write failed for lack of space, or as if. */
export function isFull(error: unknown): boolean {
  const code = resultCode(error);
  return code === FULL || code === IO_ERROR;
}

export function spoolFailed(cause: unknown): ClientError {
  return new ClientError('spool_failed', cause instanceof Error ? cause.message : String(cause), { cause });
}

/** The primary one; the rest of the number has details. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

function close(db: DatabaseSync | undefined): void {
  try {
    db?.close();
  } catch {
    // A broken file may not even be closed; the error that led here is reported.
  }
}

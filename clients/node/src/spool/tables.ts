import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { isFull } from './open-database.ts';

/** Backfill has numbers of its own below those of other readings: SQLite has 64 bits, a double 53. */
export const FIRST_BACKFILL_ID = -(2 ** 52);

/** Since the spool was created, but `waiting` and `bytes`: now. */
export const COUNTERS = ['waiting', 'bytes', 'sent', 'rejected', 'dropped'] as const;
export type Counters = Record<(typeof COUNTERS)[number], number>;

/** The statements of the spool, and its state that is kept in memory. */
export interface Tables {
  db: DatabaseSync;
  sql: Record<Statement, StatementSync>;
  counters: Counters;
  nextId: { fresh: number; backfill: number };
}

const STATEMENTS = {
  insert: 'INSERT INTO readings (id, at, body) VALUES (?, ?, ?)',
  lane: 'SELECT id, at, body FROM readings WHERE id > ? AND id <= ? ORDER BY id LIMIT ?',
  oldest: 'SELECT id, body FROM readings ORDER BY id LIMIT 1',
  remove: 'DELETE FROM readings WHERE id = ?',
  removeRange: 'DELETE FROM readings WHERE id BETWEEN ? AND ?',
  setAside: 'INSERT INTO set_aside (at, body, code, error) VALUES (?, ?, ?, ?)',
  trimSetAside: 'DELETE FROM set_aside WHERE id <= (SELECT max(id) FROM set_aside) - ?',
  listSetAside: 'SELECT body, code, error FROM set_aside ORDER BY id',
  emptySetAside: 'DELETE FROM set_aside',
  countSetAside: 'SELECT count(*) AS count FROM set_aside',
  firstAt: 'SELECT at FROM readings WHERE id > ? ORDER BY id LIMIT 1',
  count: 'INSERT OR REPLACE INTO counters (name, value) VALUES (?, ?)',
} as const;
type Statement = keyof typeof STATEMENTS;

export function readTables(db: DatabaseSync): Tables {
  const sql = Object.fromEntries(
    Object.entries(STATEMENTS).map(([name, text]) => [name, db.prepare(text)]),
  ) as Record<Statement, StatementSync>;
  const counters: Counters = { waiting: 0, bytes: 0, sent: 0, rejected: 0, dropped: 0 };
  for (const name of COUNTERS)
    counters[name] = one(db, 'SELECT value FROM counters WHERE name = ?', name) ?? 0;
  const fresh = one(db, 'SELECT max(id) AS value FROM readings WHERE id > 0') ?? 0;
  const backfill = one(db, 'SELECT max(id) AS value FROM readings WHERE id <= 0') ?? FIRST_BACKFILL_ID - 1;
  return { db, sql, counters, nextId: { fresh: fresh + 1, backfill: backfill + 1 } };
}

/**
 * Commits what `work` does, with its counters, or nothing of it.
 *
 * @param isDurable whether it survives a power failure from now on, which costs an `fsync`. What is put has to; a removal that
 * is lost only means that readings are sent again.
 * @throws what SQLite throws; the state in memory is then as before
 */
export function commit<T>(tables: Tables, isDurable: boolean, work: () => T): T {
  tables.db.exec(`PRAGMA synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`);
  try {
    return commitOnce(tables, work);
  } catch (error) {
    if (!isFull(error)) throw error;
    // The log may be what fills the disk. Without this, not even what was sent could be removed.
    tables.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return commitOnce(tables, work);
  }
}

function commitOnce<T>(tables: Tables, work: () => T): T {
  const { db, sql } = tables;
  const before = { counters: { ...tables.counters }, nextId: { ...tables.nextId } };
  try {
    db.exec('BEGIN IMMEDIATE');
    const result = work();
    for (const name of COUNTERS)
      if (tables.counters[name] !== before.counters[name]) sql.count.run(name, tables.counters[name]);
    db.exec('COMMIT');
    return result;
  } catch (error) {
    Object.assign(tables, before);
    try {
      db.exec('ROLLBACK');
    } catch {
      // SQLite has rolled back by itself after some errors.
    }
    throw error;
  }
}

function one(db: DatabaseSync, query: string, ...parameters: SQLInputValue[]): number | undefined {
  const value = db.prepare(query).get(...parameters)?.['value'];
  return typeof value === 'number' ? value : undefined;
}

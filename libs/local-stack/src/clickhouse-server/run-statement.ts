import type { Readable } from 'node:stream';
import type { Answer, Summary } from './answer.ts';
import { ClickHouseException, NO_DATA_TO_INSERT } from './clickhouse-exception.ts';
import type { EngineConnection } from './engine.ts';
import { afterHeader, consistsOfLines, contentTypeOf, streamedHeaderLines } from './formats.ts';
import { readPieces, readWhole } from './request-body.ts';
import { firstWord, formatClause, readsInputFunction } from './sql-text.ts';

export interface Statement {
  /** The text of the URL; the body follows behind it. */
  query: string;
  body: Readable;
  defaultFormat: string;
  /** The answer is complete before its first byte is sent. */
  waitForEnd: boolean;
}

export interface StatementLimits {
  /** Of a statement with its data, and of each part of a larger INSERT of lines. */
  maxBodyBytes: number;
  signal: AbortSignal;
}

/** An INSERT with its data in the body, a SELECT that is sent as it is found, or anything else. */
export async function runStatement(
  connection: EngineConnection,
  statement: Statement,
  answer: Answer,
  limits: StatementLimits,
): Promise<Summary> {
  if (firstWord(statement.query) === 'INSERT') {
    return insertPieces(connection, statement, limits);
  }
  const body = await readWhole(statement.body, limits.maxBodyBytes);
  if (statement.query === '' && firstWord(body.subarray(0, 1024).toString()) === 'INSERT') {
    return insert(connection, '', body);
  }
  const sql = [statement.query, body.toString()].filter((part) => part !== '').join('\n');
  const format = formatClause(sql) ?? statement.defaultFormat;
  answer.setHeader('X-ClickHouse-Format', format);
  answer.setHeader('Content-Type', contentTypeOf(format));
  const headerLines = statement.waitForEnd ? null : streamedHeaderLines(format);
  if (headerLines !== null && /^(SELECT|WITH)$/.test(firstWord(sql))) {
    return select(connection, { sql, format, headerLines }, answer, limits.signal);
  }
  const { bytes, rows } = await connection.query(sql, format);
  await answer.write(bytes);
  return { result_rows: rows, result_bytes: bytes.length };
}

async function insertPieces(
  connection: EngineConnection,
  { query, body }: Statement,
  { maxBodyBytes }: StatementLimits,
): Promise<Summary> {
  const head = query.replace(/[\s;]+$/, '');
  if (readsInputFunction(head)) {
    throw ClickHouseException.refuse('NOT_IMPLEMENTED', 'The table function input() is not offered here');
  }
  let summary: Summary | undefined;
  for await (const piece of readPieces(body, maxBodyBytes, consistsOfLines(formatClause(head)))) {
    summary = add(summary, await insert(connection, head, piece));
  }
  // Without data, so that an unknown table is still an error, and INSERT … SELECT runs.
  return summary ?? insert(connection, head, Buffer.alloc(0));
}

async function insert(connection: EngineConnection, head: string, body: Buffer): Promise<Summary> {
  try {
    const written = await connection.insert(head, body);
    return { written_rows: written.rowsWritten, written_bytes: written.bytesWritten };
  } catch (error) {
    if (error instanceof ClickHouseException && error.code === NO_DATA_TO_INSERT) return {};
    throw error;
  }
}

function add(one: Summary | undefined, other: Summary): Summary {
  return {
    written_rows: (one?.written_rows ?? 0) + (other.written_rows ?? 0),
    written_bytes: (one?.written_bytes ?? 0) + (other.written_bytes ?? 0),
  };
}

async function select(
  connection: EngineConnection,
  { sql, format, headerLines }: { sql: string; format: string; headerLines: number },
  answer: Answer,
  signal: AbortSignal,
): Promise<Summary> {
  const stream = connection.stream(sql, format);
  const summary = { result_rows: 0, result_bytes: 0 };
  try {
    for (let first = true; ; first = false) {
      const block = await stream.next();
      if (block === null) return summary;
      signal.throwIfAborted();
      const bytes = first ? block.bytes : block.bytes.subarray(afterHeader(block.bytes, headerLines, format));
      summary.result_rows += block.rows;
      summary.result_bytes += bytes.length;
      await answer.write(bytes);
    }
  } finally {
    stream.cancel();
  }
}

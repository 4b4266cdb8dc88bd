import type { IncomingMessage } from 'node:http';
import { ClickHouseException } from './clickhouse-exception.ts';
import { streamedHeaderLines } from './formats.ts';
import { type InsertStatement, parseInsert } from './insert-statement.ts';
import { decodedBody, readWhole } from './request-body.ts';
import type { RequestParameters } from './request-parameters.ts';
import { firstWord, formatClause, hasSecondStatement, readsInputFunction } from './sql-text.ts';

/** How a statement is run: each kind needs another call of the engine. */
export type Plan =
  | { kind: 'insert'; statement: InsertStatement; body: AsyncIterable<Buffer> }
  | { kind: 'insert-select'; sql: string }
  /** Sent block by block while it is found. `headerLines` stand before the rows of each block. */
  | { kind: 'stream'; sql: string; format: string; headerLines: number }
  /** Held in memory as a whole, because its format is a document or the client wants it so. */
  | { kind: 'document'; sql: string; format: string };

export interface PlanLimits {
  /** Of a statement, with the data in it if it has some. Data alone may have any size. */
  maxStatementBytes: number;
  /** Of a document before it is rendered; the text can take several times as much. */
  maxDocumentBytes: number;
}

/** The statement is the query of the URL, a line break, and the body. */
export async function planStatement(
  request: IncomingMessage,
  parameters: RequestParameters,
  limits: PlanLimits,
): Promise<Plan> {
  if (firstWord(parameters.query) === 'INSERT') {
    const statement = parseInsert(Buffer.from(parameters.query));
    if (statement !== null) return { kind: 'insert', statement, body: decodedBody(request) };
  }
  const body = await readWhole(decodedBody(request), limits.maxStatementBytes);
  const sql = joinLines(Buffer.from(parameters.query), body);
  return firstWord(sql.toString('utf8', 0, 1024)) === 'INSERT'
    ? planInsert(sql)
    : planQuery(sql.toString(), parameters, limits);
}

function planInsert(bytes: Buffer): Plan {
  const statement = parseInsert(bytes);
  if (statement !== null) return { kind: 'insert', statement, body: nothing() };
  const sql = bytes.toString();
  rejectSecondStatement(sql);
  if (readsInputFunction(sql)) {
    // The embedded engine would report success, and store nothing.
    throw ClickHouseException.reject('NOT_IMPLEMENTED', 'INSERT with input() is not offered here');
  }
  return { kind: 'insert-select', sql };
}

function planQuery(sql: string, parameters: RequestParameters, limits: PlanLimits): Plan {
  rejectSecondStatement(sql);
  const format = formatClause(sql) ?? parameters.defaultFormat;
  const word = firstWord(sql);
  if (word === '') throw ClickHouseException.reject('SYNTAX_ERROR', 'Syntax error: Empty query');
  if (!['SELECT', 'WITH', 'FROM'].includes(word)) return { kind: 'document', sql, format };
  const headerLines = parameters.waitForEnd ? null : streamedHeaderLines(format);
  if (headerLines !== null) return { kind: 'stream', sql, format, headerLines };
  limitResult(sql, parameters.settings, limits.maxDocumentBytes);
  return { kind: 'document', sql, format };
}

/** The rendered text is not under the engine's own memory limit. */
function limitResult(sql: string, settings: Map<string, string>, maxBytes: number): void {
  // Who wants a cut result at his own limit must not get one that is cut at ours.
  const cuts = settings.has('result_overflow_mode') || /result_overflow_mode/i.test(sql);
  if (!cuts && !settings.has('max_result_bytes')) settings.set('max_result_bytes', String(maxBytes));
}

function joinLines(first: Buffer, second: Buffer): Buffer {
  if (first.length === 0) return second;
  return second.length === 0 ? first : Buffer.concat([first, Buffer.from('\n'), second]);
}

/** The embedded engine would run them all; the server rejects. */
function rejectSecondStatement(sql: string): void {
  if (!hasSecondStatement(sql)) return;
  throw ClickHouseException.reject('SYNTAX_ERROR', 'Syntax error (Multi-statements are not allowed)');
}

async function* nothing(): AsyncGenerator<Buffer> {}

import type { IncomingMessage } from 'node:http';
import { ClickHouseException } from './clickhouse-exception.ts';
import { consistsOfLines, streamedHeaderLines } from './formats.ts';
import { readForm } from './multipart-form.ts';
import { decodedBody, readPieces, readWhole } from './request-body.ts';
import { applyParameters, type RequestParameters } from './request-parameters.ts';
import { firstWord, formatClause, hasSecondStatement, readsInputFunction, replaceWord } from './sql-text.ts';

/** How a statement is run: each kind needs another call of the engine. */
export type Plan =
  | { kind: 'insert'; head: string; pieces: AsyncIterable<Buffer> }
  /** Sent block by block while it is found. `headerLines` stand before the rows of each block. */
  | { kind: 'stream'; sql: string; format: string; headerLines: number }
  /** Held in memory as a whole, because its format is a document or the client wants it so. */
  | { kind: 'document'; sql: string; format: string };

export interface PlanLimits {
  /** Of a statement with its data, and of each piece of a larger INSERT of lines. */
  maxBodyBytes: number;
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
    return planInsert(parameters.query, request, limits.maxBodyBytes);
  }
  let body = await readWhole(decodedBody(request), limits.maxBodyBytes);
  const form = await readForm(request, body);
  if (form !== undefined) {
    applyParameters(parameters, form);
    body = Buffer.alloc(0);
  }
  if (parameters.query === '' && firstWord(body.toString('utf8', 0, 1024)) === 'INSERT') {
    return { kind: 'insert', head: '', pieces: only(body) };
  }
  const sql = [parameters.query, body.toString()].filter((part) => part !== '').join('\n');
  return planQuery(sql, parameters, limits);
}

function planInsert(query: string, request: IncomingMessage, maxBytes: number): Plan {
  const head = query.replace(/[\s;]+$/, '');
  if (readsInputFunction(head)) {
    // The embedded engine would answer that all is well, and store nothing.
    throw ClickHouseException.refuse('NOT_IMPLEMENTED', 'INSERT with input() is not offered here');
  }
  const lines = consistsOfLines(formatClause(head));
  return { kind: 'insert', head, pieces: readPieces(decodedBody(request), maxBytes, lines) };
}

function planQuery(sql: string, parameters: RequestParameters, limits: PlanLimits): Plan {
  if (hasSecondStatement(sql)) {
    // The embedded engine would run them all; a server refuses.
    throw ClickHouseException.refuse('SYNTAX_ERROR', 'Syntax error (Multi-statements are not allowed)');
  }
  const format = formatClause(sql) ?? parameters.defaultFormat;
  const word = firstWord(sql);
  // The engine names queries by itself, and carries the name that the client gave as log_comment.
  if (word === 'KILL') {
    return {
      kind: 'document',
      sql: replaceWord(sql, 'query_id', "Settings['log_comment']"),
      format,
    };
  }
  if (word !== 'SELECT' && word !== 'WITH') return { kind: 'document', sql, format };
  const headerLines = parameters.waitForEnd ? null : streamedHeaderLines(format);
  if (headerLines !== null) return { kind: 'stream', sql, format, headerLines };
  // The rendered text is not under the engine's own memory limit.
  if (!parameters.settings.has('max_result_bytes')) {
    parameters.settings.set('max_result_bytes', String(limits.maxDocumentBytes));
  }
  return { kind: 'document', sql, format };
}

async function* only(body: Buffer): AsyncGenerator<Buffer> {
  yield body;
}

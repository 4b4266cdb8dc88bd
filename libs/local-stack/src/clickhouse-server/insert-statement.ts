import { ClickHouseException } from './clickhouse-exception.ts';
import { locatedTokens } from './sql-text.ts';

/** `INSERT INTO t (a, b) SETTINGS x = 1 FORMAT CSV` and what stands behind it, taken apart. */
export interface InsertStatement {
  /** `INSERT INTO t (a, b)` */
  target: string;
  /** `SETTINGS x = 1`, or empty. */
  settings: string;
  format: string;
  /** Data that stands behind the statement, often none. */
  inlineData: Buffer;
}

/**
 * Null when the rows come from a SELECT.
 *
 * The embedded engine takes data behind a statement only up to the first empty line, and runs the
 * rest as SQL. So the data must reach it by another way, and the statement must be taken apart.
 */
export function parseInsert(bytes: Buffer): InsertStatement | null {
  // One sign for each byte, because the data may be binary.
  const sql = bytes.toString('latin1');
  const words: { word: string; start: number; end: number }[] = [];
  let settingsStart: number | undefined;
  let depth = 0;
  for (const token of locatedTokens(sql)) {
    const word = token.text.toUpperCase();
    const before = words.at(-1)?.word;
    if (depth === 0 && !isName(before)) {
      if (word === 'SELECT' || word === 'WITH') return null;
      if (word === 'FROM') throw rejectInfile();
      if (word === 'SETTINGS') settingsStart ??= token.start;
      if (word === 'VALUES') return statement(token.start, 'Values', token.end);
    }
    // INSERT INTO t (SELECT …)
    if (before === '(' && depth === 1 && (word === 'SELECT' || word === 'WITH')) return null;
    if (depth === 0 && before === 'FORMAT' && !isName(words.at(-2)?.word)) {
      const start = words.at(-1)?.start ?? token.start;
      return statement(start, token.text, token.end);
    }
    if (word === '(') depth += 1;
    if (word === ')') depth -= 1;
    words.push({ word, start: token.start, end: token.end });
  }
  // Without FORMAT and VALUES, as on the server.
  return statement(sql.length, 'Values', sql.length);

  function statement(clauseStart: number, format: string, dataStart: number): InsertStatement {
    const inlineData = bytes.subarray(dataStart + blankLength(sql, dataStart));
    if (inlineData[0] === SEMICOLON) {
      throw ClickHouseException.reject('SYNTAX_ERROR', "You have excessive ';' symbol before data");
    }
    return {
      target: bytes.toString('utf8', 0, settingsStart ?? clauseStart),
      settings: settingsStart === undefined ? '' : bytes.toString('utf8', settingsStart, clauseStart),
      format,
      inlineData,
    };
  }
}

const SEMICOLON = 0x3b;

/** Behind these words stands the name of a table, even one that is called `format`. */
function isName(before: string | undefined): boolean {
  return before === undefined || ['INTO', 'TABLE', 'FUNCTION', '.'].includes(before);
}

/** Blanks, and one line break, stand between the name of the format and the data. */
function blankLength(sql: string, start: number): number {
  const blank = /[ \t\r\f\v]*\n?/y;
  blank.lastIndex = start;
  return blank.exec(sql)?.[0].length ?? 0;
}

function rejectInfile(): ClickHouseException {
  return ClickHouseException.reject(
    'UNKNOWN_TYPE_OF_QUERY',
    'Query has infile and was send directly to server',
  );
}

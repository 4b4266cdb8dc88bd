import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { READING_FIELD_NAMES } from '@cellarman/reading';
import { parse } from 'csv-parse';
import { EXIT, Failure } from '../failure.ts';
import { MOST_BYTES } from './file-reading.ts';
import type { FileReading } from './file-reading.ts';

/** In the order in which they are sent. */
const FIELDS: readonly string[] = READING_FIELD_NAMES;
/** How JSON writes a number. It is sent as it stands, so that no digit is lost on the way. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * Yields the rows of a CSV file as readings. Values that are not numbers are sent as strings and empty ones are left out: only
 * ingest validates readings, and its response names the error.
 */
export async function* csvReadings(
  chunks: AsyncIterable<Buffer>,
  cellar: string | undefined,
): AsyncGenerator<FileReading, void, undefined> {
  // Fields as bytes: the parser would replace what is not UTF-8, and nothing may be changed silently.
  const parser = parse({
    info: true,
    encoding: null,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: MOST_BYTES,
  });
  const source = Readable.from(withoutMark(chunks));
  source.on('error', (error) => parser.destroy(error)).pipe(parser);
  let columns: string[] | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<Row>) {
      if (columns === undefined) columns = readHeading(record, cellar);
      else yield { line: info.lines, json: toJson(columns, record, cellar) };
    }
  } catch (cause) {
    if (cause instanceof Failure || !(cause instanceof Error && 'code' in cause)) throw cause;
    if (!String(cause.code).startsWith('CSV_')) throw cause;
    throw new Failure(EXIT.usage, `invalid CSV: ${cause.message}`, { cause });
  } finally {
    source.destroy();
  }
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** Spreadsheets begin a file with it. The parser's own way of taking it off makes texts of all fields. */
async function* withoutMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < BYTE_ORDER_MARK.length) continue;
    const hasMark = head.indexOf(BYTE_ORDER_MARK) === 0;
    yield hasMark ? head.subarray(BYTE_ORDER_MARK.length) : head;
    head = undefined;
  }
  if (head !== undefined) yield head;
}

interface Row {
  record: Buffer[];
  info: { lines: number };
}

function readHeading(record: readonly Buffer[], cellar: string | undefined): string[] {
  const columns = record.map((field) => field.toString().trim());
  const missing = FIELDS.find(
    (field) => !columns.includes(field) && (field !== 'cellar' || cellar === undefined),
  );
  const unknown = columns.find((column) => !FIELDS.includes(column));
  if (missing === undefined && unknown === undefined) return columns;
  const what = unknown === undefined ? `missing column ${missing ?? ''}` : `unknown column ${unknown}`;
  throw new Failure(EXIT.usage, `${what}; the first line must list the columns: ${FIELDS.join()}`);
}

function toJson(columns: readonly string[], record: readonly Buffer[], cellar: string | undefined): Buffer {
  // The fields cannot be matched to columns: the row is sent as an array, which ingest rejects.
  if (record.length !== columns.length) return Buffer.from(JSON.stringify(record.map(String)));
  // Bytes that are no text make no JSON either; ingest says so.
  const broken = record.find((field) => !isUtf8(field));
  if (broken !== undefined) return broken;
  const members = columns.map((column, place) => `"${column}":${literal(column, String(record[place]))}`);
  if (!columns.includes('cellar')) members.unshift(`"cellar":${JSON.stringify(cellar)}`);
  return Buffer.from(`{${members.join()}}`);
}

function literal(column: string, text: string): string {
  return column === 'value' && NUMBER.test(text.trim()) ? text.trim() : JSON.stringify(text);
}

import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { EXIT, Failure } from '../failure.ts';
import { newKey } from '../keys/key-settings.ts';

/** The columns of the file, in any order; all but `name` may be missing or empty. */
export const COLUMNS = [
  'cellar',
  'name',
  'rack',
  'rack_prefix',
  'scopes',
  'expires',
  'rate',
  'burst',
] as const;

type Fields = Record<(typeof COLUMNS)[number], string>;

/** One key to be made, as the file says it. */
export interface KeyRow extends Fields {
  /** Where it stands in the file. */
  line: number;
}

/** A row is known by its name: it may move in the file, and rows may be added, between two runs. */
export const rowKey = ({ cellar, name }: Pick<Fields, 'cellar' | 'name'>): string => `${cellar}/${name}`;

/** @throws {Failure} with all errors of the file, before any key is created */
export async function readKeyRows(file: string, defaultCellar: string | undefined): Promise<KeyRow[]> {
  const rows = parseRows(await read(file));
  const errors: string[] = [];
  const lines = new Map<string, number>();
  for (const row of rows) {
    row.cellar ||= defaultCellar ?? '';
    const before = lines.get(rowKey(row));
    lines.set(rowKey(row), row.line);
    const error = before === undefined ? errorOf(row) : `the name is already used in line ${before}`;
    if (error !== undefined) errors.push(`line ${row.line}: ${error}`);
  }
  if (rows.length === 0) errors.push('the file has no rows');
  if (errors.length > 0) throw new Failure(EXIT.usage, `${file}: no key was created: ${errors.join('; ')}`);
  return rows;
}

export function newKeyOf(row: KeyRow) {
  return newKey(row.name, { ...row, rackPrefix: row.rack_prefix });
}

async function read(file: string): Promise<Buffer> {
  const content = await readFile(file).catch((cause: unknown) => {
    throw new Failure(EXIT.usage, `cannot read ${file}: ${(cause as Error).message}`);
  });
  if (!isUtf8(content)) throw new Failure(EXIT.usage, `${file} is not UTF-8`);
  return content;
}

function parseRows(content: Buffer): KeyRow[] {
  const [heading, ...records] = parseCsv(content);
  const columns = heading?.record.map((column) => column.trim()) ?? [];
  const unknown = columns.find((column) => !(COLUMNS as readonly string[]).includes(column));
  if (unknown !== undefined || !columns.includes('name')) {
    const what =
      unknown === undefined ? 'the column "name" is missing' : `unknown column ${JSON.stringify(unknown)}`;
    throw new Failure(EXIT.usage, `${what}; the columns of the first line can be ${COLUMNS.join(', ')}`);
  }
  return records.map(({ record, info }) => {
    const fields = new Map(columns.map((column, place) => [column, record[place] ?? '']));
    const row = Object.fromEntries(COLUMNS.map((column) => [column, fields.get(column) ?? ''])) as Fields;
    return { ...row, line: info.lines };
  });
}

function parseCsv(content: Buffer): { record: string[]; info: { lines: number } }[] {
  try {
    return parse(content, { bom: true, info: true, skip_empty_lines: true }) as unknown as {
      record: string[];
      info: { lines: number };
    }[];
  } catch (cause) {
    throw new Failure(EXIT.usage, `the file is not valid CSV: ${(cause as Error).message}`, { cause });
  }
}

/** A control character would break the lines of the file with the secrets. key-service takes none either. */
const CONTROL = /\p{Cc}/u;

function errorOf(row: KeyRow): string | undefined {
  if (row.name === '') return 'the name is empty';
  if (row.cellar === '') return 'the cellar is missing: fill in the column cellar, or specify --cellar';
  if (COLUMNS.some((column) => CONTROL.test(row[column]))) return 'a value contains a control character';
  try {
    newKeyOf(row);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

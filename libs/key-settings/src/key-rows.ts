import { parse } from 'csv-parse/sync';
import { newKey } from './key-settings.ts';
import type { NewKey } from './key-settings.ts';
import { InvalidInput } from './option-values.ts';

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

/**
 * Reads a CSV file with all its errors.
 *
 * @throws {InvalidInput} when it is not a table of keys
 */
export function parseKeyRows(
  content: Uint8Array,
  defaultCellar: string | undefined,
): { rows: KeyRow[]; errors: { line: number; message: string }[] } {
  const rows = parseRows(content);
  if (rows.length === 0) throw new InvalidInput('the file has no rows');
  const errors: { line: number; message: string }[] = [];
  const lines = new Map<string, number>();
  for (const row of rows) {
    row.cellar ||= defaultCellar ?? '';
    const before = lines.get(rowKey(row));
    lines.set(rowKey(row), row.line);
    const message = before === undefined ? errorOf(row) : `the name is already used in line ${before}`;
    if (message !== undefined) errors.push({ line: row.line, message });
  }
  return { rows, errors };
}

export function newKeyOf(row: KeyRow): NewKey {
  return newKey(row.name, { ...row, rackPrefix: row.rack_prefix });
}

function parseRows(content: Uint8Array): KeyRow[] {
  const [heading, ...records] = parseCsv(content);
  const columns = heading?.record.map((column) => column.trim()) ?? [];
  const unknown = columns.find((column) => !(COLUMNS as readonly string[]).includes(column));
  if (unknown !== undefined || !columns.includes('name')) {
    const what =
      unknown === undefined ? 'the column "name" is missing' : `unknown column ${JSON.stringify(unknown)}`;
    throw new InvalidInput(`${what}; the columns of the first line can be ${COLUMNS.join(', ')}`);
  }
  return records.map(({ record, info }) => {
    const fields = new Map(columns.map((column, place) => [column, record[place] ?? '']));
    const row = Object.fromEntries(COLUMNS.map((column) => [column, fields.get(column) ?? ''])) as Fields;
    return { ...row, line: info.lines };
  });
}

function parseCsv(content: Uint8Array): { record: string[]; info: { lines: number } }[] {
  const text = decode(content);
  try {
    return parse(text, { info: true, skip_empty_lines: true }) as unknown as {
      record: string[];
      info: { lines: number };
    }[];
  } catch (cause) {
    throw new InvalidInput(`the file is not valid CSV: ${(cause as Error).message}`, { cause });
  }
}

/** Removes the byte order mark too. */
function decode(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch (cause) {
    throw new InvalidInput('the file is not UTF-8', { cause });
  }
}

/** A control character would break the lines of the file with the secrets. key-service takes none either. */
const CONTROL = /\p{Cc}/u;

function errorOf(row: KeyRow): string | undefined {
  if (row.name === '') return 'the name is empty';
  if (row.name.length > 100) return 'the name has more than 100 characters';
  if (row.cellar === '') return 'the cellar is missing: fill in the column cellar, or specify --cellar';
  if (COLUMNS.some((column) => CONTROL.test(row[column]))) return 'a value contains a control character';
  try {
    newKeyOf(row);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

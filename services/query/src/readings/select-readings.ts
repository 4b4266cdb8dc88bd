import type { KegUnit } from '@cellarman/contracts';
import { ApiError, cutPage, invalidCursor, readCursor, writeCursor } from '@cellarman/http-api';
import type { RackLimit } from '../access/reader.ts';
import { rowsOf } from '../clickhouse/conditions.ts';
import type { Conditions } from '../clickhouse/conditions.ts';
import type { Select } from '../clickhouse/select.ts';
import { toClickHouse } from '../time/instant.ts';
import { withinRange } from '../time/range.ts';
import type { TimeRange } from '../time/range.ts';

export interface ReadingsQuery {
  cellar: string;
  limit: RackLimit;
  range: TimeRange;
  list: { rack?: string; keg?: string; order: 'asc' | 'desc'; limit: number; cursor?: string };
}

export interface StoredReading {
  rack: string;
  keg: string;
  timestamp: string;
  value: number;
  receivedAt: string;
}

/** The four that name a reading within its cellar, in the order of the table. */
type Identity = Pick<StoredReading, 'rack' | 'keg' | 'timestamp' | 'value'>;

const COLUMNS = ['rack', 'keg', 'timestamp', 'value', 'receivedAt'] as const;
const SELECTED = 'rack, keg, timestamp, value, received_at AS receivedAt';
/** The unit comes last, so that the other columns keep their places. */
const SELECTED_SAFELY = `${escapeFormulas('rack')}, ${escapeFormulas('keg')}, timestamp, value, received_at,
  ${escapeFormulas("transform(keg, {unitKegs: Array(String)}, {units: Array(String)}, '')")}`;

/** As csv.ts of key-service: at the begin of a cell, and behind a semicolon, which separates cells in many countries. */
function escapeFormulas(column: string): string {
  return `replaceRegexpAll(${column}, '(^|;)([-=+@\\t\\r\\n＝＋－＠])', '\\\\1\\'\\\\2')`;
}

export type RowFormat = 'ndjson' | 'csv-safe' | 'csv-plain';

export async function selectReadings(
  select: Select,
  query: ReadingsQuery,
  signal: AbortSignal,
): Promise<{ readings: StoredReading[]; nextCursor: string | null }> {
  const { order, limit } = query.list;
  const { sql: where, params } = wantedRows(query);
  const sql = `SELECT ${SELECTED} FROM readings WHERE ${where} ${inOrder(order)} LIMIT {limit: UInt32}`;
  const rows = await select.rows<StoredReading>(
    { sql, params: { ...params, limit: limit + 1 }, maxRows: limit + 1 },
    signal,
  );
  const { page, nextCursor } = cutPage(rows, limit, (last) => cursorValues(order, last));
  return { readings: page, nextCursor };
}

/** A streamed page is as long as its range, so this limit is reached only by a bug. */
const MOST_ARRIVING = 10_000_000;

/**
 * The same page as lines. Its last reading is looked for first, because the header that leads to the next page goes out
 * before the rows. What arrives before that reading meanwhile belongs to the page as well, which is longer then: cut at the
 * limit, it would lose readings that the next page begins behind.
 */
export async function streamReadings(
  select: Select,
  query: ReadingsQuery & { units: readonly KegUnit[] },
  format: RowFormat,
  signal: AbortSignal,
): Promise<{ lines: AsyncIterable<string>; nextCursor: string | null }> {
  const { order, limit } = query.list;
  const { sql: where, params } = wantedRows(query);
  const [last, beyond] = await select.rows<Identity>(
    {
      sql: `SELECT rack, keg, timestamp, value FROM readings WHERE ${where} ${inOrder(order)}
        LIMIT 2 OFFSET {before: UInt32}`,
      params: { ...params, before: limit - 1 },
      maxRows: 2,
    },
    signal,
  );
  const isSafe = format === 'csv-safe';
  const end = last === undefined ? undefined : upTo(order, last);
  const rows = await select.lines(
    {
      sql: `SELECT ${isSafe ? SELECTED_SAFELY : SELECTED} FROM readings WHERE ${where} ${end === undefined ? '' : `AND ${end.sql}`}
        ${inOrder(order)}`,
      params: { ...params, ...end?.params, ...(isSafe && unitParams(query)) },
      maxRows: limit + MOST_ARRIVING,
    },
    format === 'ndjson' ? 'JSONEachRow' : 'CSV',
    signal,
  );
  return {
    lines: toLines(
      rows,
      format === 'ndjson' ? '' : `${[...COLUMNS, ...(isSafe ? ['unit'] : [])].join(',')}\n`,
    ),
    nextCursor: last === undefined || beyond === undefined ? null : writeCursor(cursorValues(order, last)),
  };
}

/** A keg that is not among the readings would only make the request larger. */
function unitParams({ units, list }: ReadingsQuery & { units: readonly KegUnit[] }) {
  const wanted = units.filter(({ keg }) => list.keg === undefined || list.keg === keg);
  return { unitKegs: wanted.map(({ keg }) => keg), units: wanted.map(({ unit }) => unit) };
}

async function* toLines(rows: AsyncIterable<readonly string[]>, head: string): AsyncGenerator<string> {
  if (head !== '') yield head;
  for await (const texts of rows) if (texts.length > 0) yield `${texts.join('\n')}\n`;
}

function wantedRows({ cellar, limit, range, list }: ReadingsQuery): Conditions {
  const rows = rowsOf(cellar, limit, list);
  const after = list.cursor === undefined ? undefined : behind(list.order, list.cursor);
  return {
    sql: [rows.sql, withinRange(range), ...(after === undefined ? [] : [after.sql])].join(' AND '),
    params: { ...rows.params, ...range, ...after?.params },
  };
}

function inOrder(order: 'asc' | 'desc'): string {
  return `ORDER BY ${['rack', 'keg', 'timestamp', 'value'].map((name) => `${name} ${order}`).join(', ')}`;
}

function cursorValues(order: string, { rack, keg, timestamp, value }: Identity): string[] {
  return [order, rack, keg, timestamp, String(value)];
}

function behind(order: 'asc' | 'desc', cursor: string): Conditions {
  const [ofOrder, rack = '', keg = '', timestamp = '', value = ''] = readCursor(cursor, 5);
  if (ofOrder !== order)
    throw new ApiError('invalid_request', 'The cursor belongs to a list with another order');
  if (value === '' || !Number.isFinite(Number(value))) {
    throw invalidCursor();
  }
  return compare('after', order === 'asc' ? '>' : '<', { rack, keg, timestamp, value: Number(value) });
}

function upTo(order: 'asc' | 'desc', last: Identity): Conditions {
  return compare('end', order === 'asc' ? '<=' : '>=', last);
}

/** The comparison of racks says nothing new, but the primary key understands it, and not that of tuples. */
function compare(name: string, operator: '>' | '<' | '>=' | '<=', than: Identity): Conditions {
  const { rack, keg, timestamp, value } = than;
  const bound = `({${name}Rack: String}, {${name}Keg: String}, {${name}Timestamp: DateTime64(9, 'UTC')}, {${name}Value: Float64})`;
  return {
    sql: `(rack, keg, timestamp, value) ${operator} ${bound} AND rack ${operator[0] ?? ''}= {${name}Rack: String}`,
    params: {
      [`${name}Rack`]: rack,
      [`${name}Keg`]: keg,
      [`${name}Timestamp`]: toClickHouse('cursor', timestamp),
      [`${name}Value`]: value,
    },
  };
}

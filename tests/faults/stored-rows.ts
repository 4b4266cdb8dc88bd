import { clickhouseLogin } from '@cellarman/local-stack';
import type { RunFile } from '@cellarman/local-stack';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { StoredRow } from './ledger.ts';

export interface ViewOptions {
  url: string;
  username: string;
  password: string;
  database: string;
  cellar: string;
}

type Row = [rack: string, keg: string, value: number, nanoseconds: string];

/** The view of a product. */
export function viewOf(run: RunFile): Omit<ViewOptions, 'cellar'> {
  return { ...clickhouseLogin(run), database: run.clickhouseDatabase };
}

/** All rows of a cellar in the view that people query. */
export async function* storedRows(options: ViewOptions): AsyncGenerator<StoredRow, void, undefined> {
  const client = connect(options);
  try {
    const result = await client.query({
      query: `SELECT rack, keg, value, toString(toUnixTimestamp64Nano(timestamp)) FROM readings WHERE cellar = {cellar:String}`,
      query_params: { cellar: options.cellar },
      format: 'JSONCompactEachRow',
    });
    for await (const chunk of result.stream<Row>()) {
      for (const row of chunk) {
        const [rack, keg, value, nanoseconds] = row.json();
        yield { rack, keg, value, timestamp: BigInt(nanoseconds) };
      }
    }
  } finally {
    await client.close();
  }
}

export function countStored(options: ViewOptions): Promise<number> {
  return count(options, 'SELECT count() FROM readings WHERE cellar = {cellar:String}');
}

const OF_CELLAR = 'WHERE cellar = {cellar:String}';
const READINGS = 'SELECT rack, keg, timestamp, value FROM';
const LATEST = `SELECT rack, keg, max((timestamp, value)) FROM readings ${OF_CELLAR} GROUP BY rack, keg`;
const SHOWN_LATEST = `SELECT rack, keg, (timestamp, value) FROM latest_readings ${OF_CELLAR}`;

/** Counts readings and latest values for which the query service would return something else than the view. */
export function countMischarted(options: ViewOptions): Promise<number> {
  const [stored, shown] = [`${READINGS} readings ${OF_CELLAR}`, `${READINGS} received_readings ${OF_CELLAR}`];
  const differences = [
    `(${stored}) EXCEPT DISTINCT (${shown})`,
    `SELECT rack, keg, timestamp, value FROM (${shown}) GROUP BY ALL HAVING count() > 1`,
    `(${shown}) EXCEPT DISTINCT (${stored})`,
    `(${LATEST}) EXCEPT DISTINCT (${SHOWN_LATEST})`,
    `(${SHOWN_LATEST}) EXCEPT DISTINCT (${LATEST})`,
  ];
  const counts = differences.map((rows) => `(SELECT count() FROM (${rows}))`);
  return count(options, `SELECT ${counts.join(' + ')}`);
}

async function count(options: ViewOptions, query: string): Promise<number> {
  const client = connect(options);
  try {
    const result = await client.query({
      query,
      query_params: { cellar: options.cellar },
      format: 'JSONCompactEachRow',
    });
    const [row] = await result.json<[string]>();
    return Number(row?.[0]);
  } finally {
    await client.close();
  }
}

export function connect({ url, username, password, database }: ViewOptions) {
  return createClient({
    ...{ url, username, password, database, request_timeout: 300_000 },
    log: { level: ClickHouseLogLevel.OFF },
  });
}

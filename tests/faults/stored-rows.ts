import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { StoredRow } from './ledger.ts';

export interface ViewOptions {
  url: string;
  database: string;
  cellar: string;
}

type Row = [rack: string, keg: string, value: number, nanoseconds: string];

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

export async function countStored(options: ViewOptions): Promise<number> {
  const client = connect(options);
  try {
    const result = await client.query({
      query: `SELECT count() FROM readings WHERE cellar = {cellar:String}`,
      query_params: { cellar: options.cellar },
      format: 'JSONCompactEachRow',
    });
    const [row] = await result.json<[string]>();
    return Number(row?.[0]);
  } finally {
    await client.close();
  }
}

function connect({ url, database }: ViewOptions) {
  return createClient({
    ...{ url, database, request_timeout: 300_000 },
    log: { level: ClickHouseLogLevel.OFF },
  });
}

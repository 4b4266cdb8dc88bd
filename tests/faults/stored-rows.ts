import { createClient } from '@clickhouse/client';
import type { StoredRow } from './ledger.ts';

/** All rows of a cellar in the view that people query. */
export async function storedRows(options: {
  url: string;
  database: string;
  cellar: string;
}): Promise<StoredRow[]> {
  const client = createClient({ url: options.url, database: options.database });
  try {
    const result = await client.query({
      query: `SELECT rack, value, toString(toUnixTimestamp64Nano(timestamp)) FROM readings WHERE cellar = {cellar:String}`,
      query_params: { cellar: options.cellar },
      format: 'JSONCompactEachRow',
    });
    const rows: StoredRow[] = [];
    for await (const chunk of result.stream<[string, number, string]>()) {
      for (const row of chunk) {
        const [rack, value, nanoseconds] = row.json();
        rows.push({ rack, value, timestamp: BigInt(nanoseconds) });
      }
    }
    return rows;
  } finally {
    await client.close();
  }
}

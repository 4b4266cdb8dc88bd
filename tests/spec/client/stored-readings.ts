import { createClient } from '@clickhouse/client';
import { clickhouseLogin } from '@cellarman/local-stack';
import { inject, vi } from 'vitest';

export interface StoredReading {
  cellar: string;
  rack: string;
  keg: string;
  value: number;
  timestamp: string;
  received_at: string;
  key_id: string;
}

/** What the view `readings` holds of a cellar, as anyone who queries ClickHouse sees it. */
export async function storedReadings(cellar: string): Promise<StoredReading[]> {
  const product = inject('product');
  const clickhouse = createClient({ ...clickhouseLogin(product), database: product.clickhouseDatabase });
  try {
    const rows = await clickhouse.query({
      query: 'SELECT * FROM readings WHERE cellar = {cellar: String} ORDER BY timestamp, value',
      query_params: { cellar },
      format: 'JSONEachRow',
    });
    return await rows.json<StoredReading>();
  } finally {
    await clickhouse.close();
  }
}

/** Waits until the view holds this number of readings of a cellar. */
export async function waitForReadings(cellar: string, count: number): Promise<StoredReading[]> {
  return vi.waitFor(
    async () => {
      const rows = await storedReadings(cellar);
      if (rows.length < count) throw new Error(`${rows.length} of ${count} readings are in the view`);
      return rows;
    },
    { timeout: 30_000, interval: 100 },
  );
}

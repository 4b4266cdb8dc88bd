import { connectClickHouse } from '@cellarman/clickhouse';
import type { ClickHouseAccess } from '@cellarman/clickhouse';
import type { ReadingFields } from '@cellarman/verification';
import { findRows, readExpiry } from '@cellarman/verification';

export interface ViewRow {
  reading: ReadingFields;
  /** Milliseconds since 1970. */
  receivedAt: number;
}

/** What people query: the view `readings`. Nothing is written. */
export interface View {
  /** Rows that ingest received in a range of milliseconds since 1970, both inclusive. */
  rows(from: number | undefined, to: number | undefined): AsyncGenerator<ViewRow, void, undefined>;
  /** Rows with the cellar, rack, keg and timestamp of these readings, whenever they were received. */
  rowsAt(readings: readonly ReadingFields[]): Promise<ReadingFields[]>;
  /** Whether a reading is older than the retention of its cellar, by the clock and the policy of ClickHouse. */
  expiry(): Promise<(reading: ReadingFields) => boolean>;
  close(): Promise<void>;
}

type Row = [cellar: string, rack: string, keg: string, value: number, timestamp: string, receivedAt: string];

const COLUMNS =
  'cellar, rack, keg, value, toString(timestamp), toString(toUnixTimestamp64Milli(received_at))';

export function connectView(access: ClickHouseAccess): View {
  const client = connectClickHouse({
    ...access,
    application: 'cellarman-verifier',
    requestTimeoutMs: 600_000,
  });

  return {
    async *rows(from, to) {
      const result = await client.query({
        query: `SELECT ${COLUMNS} FROM readings
          WHERE received_at >= fromUnixTimestamp64Milli({from:Int64}) AND received_at <= fromUnixTimestamp64Milli({to:Int64})`,
        query_params: { from: String(from ?? 0), to: String(to ?? 9_000_000_000_000) },
        format: 'JSONCompactEachRow',
      });
      for await (const chunk of result.stream<Row>()) {
        for (const row of chunk) {
          const [cellar, rack, keg, value, timestamp, receivedAt] = row.json();
          yield { reading: { cellar, rack, keg, value, timestamp }, receivedAt: Number(receivedAt) };
        }
      }
    },
    rowsAt: (readings) => findRows(client, 'readings', readings),
    expiry: () => readExpiry(client),
    close: () => client.close(),
  };
}

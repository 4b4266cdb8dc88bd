import { connectClickHouse } from '@cellarman/clickhouse';
import type { ClickHouseAccess } from '@cellarman/clickhouse';
import { TupleParam } from '@clickhouse/client';
import type { ReadingFields } from '@cellarman/verification';
import { withNanoseconds } from '@cellarman/verification';

export interface ViewRow {
  reading: ReadingFields;
  /** Milliseconds since 1970. */
  receivedAt: number;
}

/** What people query: the view `readings`. Nothing is written. */
export interface View {
  /** Rows that ingest received in a range of milliseconds since 1970, both inclusive. */
  rows(from: number | undefined, to: number | undefined): AsyncGenerator<ViewRow, void, undefined>;
  /** Rows at exactly these places, whenever they were received. */
  rowsAt(places: readonly ReadingFields[]): Promise<ViewRow[]>;
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
      for await (const chunk of result.stream<Row>()) for (const row of chunk) yield viewRow(row.json());
    },
    async rowsAt(places) {
      // Compared as texts: a parameter cannot say a DateTime64(9) inside of a tuple without losing digits.
      const result = await client.query({
        query: `SELECT ${COLUMNS} FROM readings
          WHERE cellar IN {cellars:Array(String)} AND (cellar, rack, keg, toString(timestamp)) IN {places:Array(Tuple(String, String, String, String))}`,
        query_params: {
          cellars: [...new Set(places.map(({ cellar }) => cellar))],
          places: places.map(
            ({ cellar, rack, keg, timestamp }) =>
              new TupleParam([cellar, rack, keg, withNanoseconds(timestamp)]),
          ),
        },
        format: 'JSONCompactEachRow',
      });
      return (await result.json<Row>()).map(viewRow);
    },
    async expiry() {
      const result = await client.query({
        query: `SELECT cellar, days, toString(toUnixTimestamp64Milli(now64(3))) FROM retention_policy FINAL`,
        format: 'JSONCompactEachRow',
      });
      const policy = await result.json<[string, number, string]>();
      const days = new Map(policy.map(([cellar, kept]) => [cellar, kept]));
      const now = Number(policy[0]?.[2] ?? Date.now());
      return ({ cellar, timestamp }) => {
        const kept = days.get(cellar) ?? days.get('') ?? 90;
        return Date.parse(timestamp) < now - kept * 86_400_000;
      };
    },
    close: () => client.close(),
  };
}

function viewRow([cellar, rack, keg, value, timestamp, receivedAt]: Row): ViewRow {
  return { reading: { cellar, rack, keg, value, timestamp }, receivedAt: Number(receivedAt) };
}

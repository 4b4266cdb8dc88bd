import { createClient, ClickHouseLogLevel } from '@clickhouse/client';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { clickHouseCertificate } from '@cellarman/tls';
import type { CertificateFiles } from '@cellarman/tls';

export type ClickHouse = ClickHouseClient;

export interface ClickHouseOptions {
  url: string;
  database: string;
  user?: string | undefined;
  password?: string | undefined;
  /** Of ours, for a ClickHouse that asks for one. */
  certificate?: CertificateFiles | undefined;
  /** Longer than a slow insert; the insert may still be done after that, which is fine: rows are known by identity. */
  requestTimeoutMs?: number;
  /** With every statement. */
  settings?: ClickHouseSettings;
}

/** Names in the schema that the migrations make. `readings` is what people query. */
export const TABLES = {
  stored: 'readings_stored',
  /** Engine Null with the columns and constraints of the stored table: parses and checks, writes nothing. */
  check: 'readings_check',
  /** Only the sink of the version before uses it. */
  probe: 'readings_probe',
  retention: 'retention_policy',
  view: 'readings',
  /** The same readings in the order of time, for questions about what came when. */
  byTime: 'readings_by_time',
  /** The latest reading of each series. */
  series: 'series_latest',
  /** Readings of each minute, for hours that are over. */
  settledCounts: 'settled_counts',
  settledUntil: 'settled_until',
  migrations: 'schema_migrations',
} as const;

/** Tables that a row goes on to by materialized views, one row for each: ClickHouse counts those too. */
export const COPIES: Readonly<Record<string, number>> = { [TABLES.stored]: 2 };

export function connectClickHouse(options: ClickHouseOptions): ClickHouse {
  return createClient({
    url: options.url,
    database: options.database,
    ...(options.user === undefined ? {} : { username: options.user }),
    ...(options.password === undefined ? {} : { password: options.password }),
    request_timeout: options.requestTimeoutMs ?? 60_000,
    ...(options.settings === undefined ? {} : { clickhouse_settings: options.settings }),
    ...clickHouseCertificate(options.certificate, options),
    application: 'cellarman-sink',
    // Each error is logged once, by the step that knows what it means.
    log: { level: ClickHouseLogLevel.OFF },
  });
}

import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import { certificateFiles, clickHouseCertificate } from '@cellarman/tls';
import type { Config } from '../config.ts';

export type ClickHouse = ClickHouseClient;

/** Beyond what ClickHouse itself may take, so that its own words arrive, and beyond what the client of a stream may pause. */
const PATIENCE_SECONDS = 5;

export function connectClickHouse(config: Config): ClickHouse {
  return createClient({
    url: config.CLICKHOUSE_URL,
    database: config.CLICKHOUSE_DATABASE,
    ...(config.CLICKHOUSE_USER === undefined ? {} : { username: config.CLICKHOUSE_USER }),
    ...(config.CLICKHOUSE_PASSWORD === undefined ? {} : { password: config.CLICKHOUSE_PASSWORD }),
    request_timeout:
      Math.max(config.QUERY_TIMEOUT_SECONDS * 1_000, config.STREAM_RATE_WINDOW_MS) + PATIENCE_SECONDS * 1_000,
    max_open_connections: config.MAX_QUERIES + 1,
    ...clickHouseCertificate(certificateFiles(config, 'CLICKHOUSE_TLS'), {
      user: config.CLICKHOUSE_USER,
      password: config.CLICKHOUSE_PASSWORD,
      maxConnections: config.MAX_QUERIES + 1,
    }),
    application: 'cellarman-query',
    // Each error is told once, by the request that met it.
    log: { level: ClickHouseLogLevel.OFF },
  });
}

import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { clickHouseCertificate } from '@cellarman/tls';
import type { CertificateFiles } from '@cellarman/tls';

export type ClickHouse = ClickHouseClient;

export interface ClickHouseAccess {
  url: string;
  database: string;
  user?: string | undefined;
  password?: string | undefined;
  /** The client certificate, for a ClickHouse that requires one. */
  certificate?: CertificateFiles | undefined;
}

export interface ClickHouseOptions extends ClickHouseAccess {
  /** For the query log of ClickHouse: `cellarman-sink`. */
  application: string;
  /** @default 60_000 */
  requestTimeoutMs?: number;
  /** @default 10, as the client */
  maxConnections?: number;
  /** With every statement. */
  settings?: ClickHouseSettings;
}

/** Connects at the first statement. */
export function connectClickHouse(options: ClickHouseOptions): ClickHouse {
  const { url, database, user, password, certificate, maxConnections, settings, application } = options;
  return createClient({
    url,
    database,
    ...(user === undefined ? {} : { username: user }),
    ...(password === undefined ? {} : { password }),
    request_timeout: options.requestTimeoutMs ?? 60_000,
    ...(maxConnections === undefined ? {} : { max_open_connections: maxConnections }),
    ...(settings === undefined ? {} : { clickhouse_settings: settings }),
    ...clickHouseCertificate(certificate, {
      user,
      password,
      ...(maxConnections === undefined ? {} : { maxConnections }),
    }),
    application,
    // Each error is logged once, by the step that knows what it means.
    log: { level: ClickHouseLogLevel.OFF },
  });
}

import { secret, text, url } from '@cellarman/config';
import { certificateFiles, clientCertificateVariables } from '@cellarman/tls';
import { Type } from '@sinclair/typebox';
import type { Static, TObject } from '@sinclair/typebox';
import type { ClickHouseAccess } from './connect.ts';

type Variables = ReturnType<typeof clickHouseVariables>;

/** @param about the descriptions of what differs between services */
export function clickHouseVariables(about: { database: string; user: string }) {
  return {
    CLICKHOUSE_URL: url({ schemes: ['http', 'https'], description: 'The HTTP interface of ClickHouse.' }),
    CLICKHOUSE_DATABASE: text({
      pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
      default: 'cellarman',
      description: about.database,
    }),
    CLICKHOUSE_USER: Type.Optional(text({ description: about.user })),
    CLICKHOUSE_PASSWORD: Type.Optional(secret({ description: 'The password of that user.' })),
    ...clientCertificateVariables('CLICKHOUSE_TLS', 'ClickHouse'),
  };
}

/** Returns what the variables say about the connection. */
export function clickHouseAccess(config: Static<TObject<Variables>>): ClickHouseAccess {
  return {
    url: config.CLICKHOUSE_URL,
    database: config.CLICKHOUSE_DATABASE,
    user: config.CLICKHOUSE_USER,
    password: config.CLICKHOUSE_PASSWORD,
    certificate: certificateFiles(config, 'CLICKHOUSE_TLS'),
  };
}

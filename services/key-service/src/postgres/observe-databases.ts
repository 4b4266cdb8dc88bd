import { observeGauges } from '@cellarman/telemetry';
import type { Telemetry } from '@cellarman/telemetry';
import type { Database, DatabaseStats } from './database.ts';

/** What each pool of connections has in use, with its limits. */
export function observeDatabases(
  meter: Telemetry['meter'],
  pools: Readonly<Record<'lookups' | 'management' | 'unauthenticated', Pick<Database, 'stats'>>>,
): void {
  const each = (read: (stats: DatabaseStats) => number) => () =>
    Object.entries(pools).map(([pool, database]) => [read(database.stats()), { pool }] as const);
  observeGauges(meter, 'cellarman_key_service_database_', {
    connections: ['Connections to PostgreSQL that run a statement.', each((stats) => stats.working)],
    connections_limit: ['The limit of connections.', each((stats) => stats.maxConnections)],
    waiting: ['Requests that wait for a connection to PostgreSQL.', each((stats) => stats.waiting)],
    waiting_limit: [
      'The limit of waiting requests. More are rejected immediately.',
      each((stats) => stats.maxWaiting),
    ],
  });
}

import type { Telemetry } from '@cellarman/telemetry';
import type { Database, DatabaseStats } from './database.ts';

/** How full the pools are, each beside its bound. */
const GAUGES: readonly [name: string, description: string, read: (stats: DatabaseStats) => number][] = [
  ['connections', 'Connections to PostgreSQL that work on a statement.', (stats) => stats.working],
  ['connections_limit', 'How many of them there may be.', (stats) => stats.maxConnections],
  ['waiting', 'Requests that wait for a connection to PostgreSQL.', (stats) => stats.waiting],
  [
    'waiting_limit',
    'The most requests that may wait for a connection. Others are rejected immediately.',
    (stats) => stats.maxWaiting,
  ],
];

export function observeDatabases(
  meter: Telemetry['meter'],
  pools: Readonly<Record<'lookups' | 'management' | 'unauthenticated', Pick<Database, 'stats'>>>,
): void {
  for (const [name, description, read] of GAUGES) {
    meter
      .createObservableGauge(`cellarman_key_service_database_${name}`, { description })
      .addCallback((result) => {
        for (const [pool, database] of Object.entries(pools))
          result.observe(read(database.stats()), { pool });
      });
  }
}

import { Pool } from 'pg';
import type { ClientBase, QueryResultRow } from 'pg';
import type { Logger } from '@cellarman/telemetry';
import { ApiError } from '@cellarman/http-api';
import { explain } from './unavailable.ts';

export interface Queryable {
  query<Row extends QueryResultRow = QueryResultRow>(
    text: string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
}

export interface Database extends Queryable {
  /** Runs `work` in one transaction. It is rolled back when `work` throws. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
  stats(): DatabaseStats;
  stop(): Promise<void>;
}

export interface DatabaseStats {
  /** Connections in use. */
  working: number;
  maxConnections: number;
  /** Requests that wait for one. */
  waiting: number;
  maxWaiting: number;
}

export interface DatabaseOptions {
  url: string;
  /** Shown in `pg_stat_activity`. */
  name: string;
  logger: Logger;
  connections: number;
  /** How many requests may wait for a connection. More are rejected immediately, so that a slow database fills no memory. */
  maxWaiting: number;
  /** @default 3_000 */
  statementTimeoutMs?: number;
}

/**
 * A bounded pool of connections to the primary.
 *
 * A request that cannot be served now is rejected with `unavailable`; nothing waits longer than its timeouts.
 */
export function createDatabase(options: DatabaseOptions): Database {
  const { statementTimeoutMs = 3_000, logger, maxWaiting } = options;
  const pool = new Pool({
    connectionString: options.url,
    application_name: options.name,
    max: options.connections,
    connectionTimeoutMillis: Math.min(statementTimeoutMs, 2_000),
    keepAlive: true,
    statement_timeout: statementTimeoutMs,
    // A process that hangs inside a transaction would hold the counter, and with it every change.
    idle_in_transaction_session_timeout: statementTimeoutMs,
    // For a server that does not respond at all; it must be longer than the server's own timeout.
    query_timeout: statementTimeoutMs + 500,
  });
  // The pool listens only to idle connections; one that is lost between two statements would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.warn({ err: error }, 'a connection to PostgreSQL was lost'));
  });
  pool.on('error', () => {
    // Logged by the listener of the connection.
  });

  async function connect() {
    if (pool.waitingCount >= maxWaiting) {
      throw new ApiError('unavailable', 'Too many requests are waiting for the database. Try again.');
    }
    return pool.connect().catch((error: unknown) => {
      throw explain(error);
    });
  }

  async function withConnection<Result>(work: (client: ClientBase) => Promise<Result>): Promise<Result> {
    const client = await connect();
    let unusable = false;
    try {
      return await work(client);
    } catch (error) {
      unusable = isUnavailable(error);
      throw error;
    } finally {
      // A connection whose state is not known is closed, not used again; the server then rolls back.
      client.release(unusable);
    }
  }

  return {
    query: (text, values) => withConnection((client) => on(client).query(text, values)),
    transaction: (work) =>
      withConnection(async (client) => {
        const transaction = on(client);
        await transaction.query('BEGIN');
        try {
          const result = await work(transaction);
          await transaction.query('COMMIT');
          return result;
        } catch (error) {
          if (!isUnavailable(error)) await transaction.query('ROLLBACK');
          throw error;
        }
      }),
    stats: () => ({
      working: pool.totalCount - pool.idleCount,
      maxConnections: options.connections,
      waiting: pool.waitingCount,
      maxWaiting,
    }),
    stop: () => pool.end(),
  };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unavailable';
}

function on(client: ClientBase): Queryable {
  return {
    async query<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) {
      try {
        const result = await client.query<Row>(text, [...values]);
        return result.rows;
      } catch (error) {
        throw explain(error);
      }
    },
  };
}

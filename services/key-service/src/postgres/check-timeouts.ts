import type { Logger } from '@cellarman/telemetry';
import type { Queryable } from './database.ts';

/**
 * Logs if statements have no timeout. A pool such as PgBouncer drops the timeouts that clients send; then those of the role
 * apply. Without any, a statement goes on after its request was rejected.
 */
export async function checkTimeouts(database: Queryable, logger: Logger): Promise<void> {
  try {
    const unlimited = await database.query<{ name: string }>(
      `SELECT name FROM unnest($1::text[]) AS given (name) WHERE current_setting(name) IN ('0', '0ms')`,
      [['statement_timeout', 'idle_in_transaction_session_timeout']],
    );
    if (unlimited.length === 0) return;
    const settings = unlimited.map(({ name }) => name);
    logger.warn(
      { settings },
      'PostgreSQL applies no timeouts: set them for the role, see docs/deployment.md#pgbouncer',
    );
  } catch (error) {
    logger.warn({ err: error }, 'cannot check the timeouts of PostgreSQL');
  }
}

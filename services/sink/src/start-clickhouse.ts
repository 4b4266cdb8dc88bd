import type { ClickHouse } from '@cellarman/clickhouse';
import type { Readiness } from '@cellarman/lifecycle';
import type { Logger } from '@cellarman/telemetry';
import { checkParsing, ParsingChanged } from './store/check-parsing.ts';
import { RowCountMismatch } from './store/insert-lines.ts';
import { checkTables, MigrationError } from './migrate/migrate-tables.ts';
import { retryUntilDone } from '@cellarman/concurrency';

const FINAL_ERRORS = [MigrationError, ParsingChanged, RowCountMismatch];

/**
 * Waits for ClickHouse, then checks that it has the tables and stores numbers unchanged.
 *
 * @throws {MigrationError | ParsingChanged | RowCountMismatch} when waiting does not help
 */
export async function startClickHouse(options: {
  clickhouse: ClickHouse;
  readiness: Readiness;
  logger: Logger;
}): Promise<void> {
  const { clickhouse, readiness, logger } = options;
  await retryUntilDone(
    async () => {
      await checkTables(clickhouse);
      await checkParsing(clickhouse);
    },
    {
      isFinal: (error) => FINAL_ERRORS.some((kind) => error instanceof kind),
      onRetry(error, attempt) {
        readiness.set('clickhouse', false, error instanceof Error ? error.message : String(error));
        if (attempt === 1) logger.warn({ err: error }, 'ClickHouse is unreachable, retrying');
      },
    },
  );
  readiness.set('clickhouse', true);
}

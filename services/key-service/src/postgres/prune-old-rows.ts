import type { Logger } from '@cellarman/telemetry';

const INTERVAL_MS = 10 * 60_000;

/** Deletes what is too old now and then. That several replicas do it does no harm. */
export function pruneOldRows(parts: { tables: Record<string, () => Promise<unknown>>; logger: Logger }): {
  stop(): void;
} {
  const { tables, logger } = parts;
  const timer = setInterval(() => {
    for (const [table, prune] of Object.entries(tables)) {
      prune().catch((error: unknown) => {
        logger.warn({ err: error, table }, 'could not delete old rows, will retry');
      });
    }
  }, INTERVAL_MS);
  return { stop: () => clearInterval(timer) };
}

import type { Logger } from '@cellarman/telemetry';
import type { ChangesRepository } from './changes-repository.ts';

const INTERVAL_MS = 10 * 60_000;

/** Deletes old changes now and then. That several replicas do it does no harm. */
export function pruneChanges(parts: {
  changes: Pick<ChangesRepository, 'prune'>;
  keepHours: number;
  logger: Logger;
}): { stop(): void } {
  const { changes, keepHours, logger } = parts;
  const timer = setInterval(() => {
    changes.prune(keepHours).catch((error: unknown) => {
      logger.warn({ err: error }, 'old changes could not be deleted, it is tried again');
    });
  }, INTERVAL_MS);
  return { stop: () => clearInterval(timer) };
}

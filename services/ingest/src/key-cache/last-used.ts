import { createLastUsed as createReports } from '@cellarman/key-service-client';
import type { KeyServiceClient } from '@cellarman/key-service-client';
import type { Logger } from '@cellarman/telemetry';
import type { KnownKey } from './known-key.ts';

/** Uses that wait for key-service to come back; beyond it the dashboard shows an older date. */
const MAX_WAITING = 100_000;

/** Reports to key-service when each key was last used. A request only notes the time on its key. */
export interface LastUsed {
  /** @param known the keys in memory, read before each report */
  follow(known: () => Iterable<KnownKey>): void;
  /** Keeps the last use of a key that leaves the memory of this replica. */
  keep(key: KnownKey): void;
  /** Reports now. Never rejects: the next report repeats what could not be reported. */
  report(): Promise<void>;
  /** Ends with a last report. */
  stop(): Promise<void>;
}

export function createLastUsed(options: {
  keyService: Pick<KeyServiceClient, 'reportLastUsed'>;
  intervalMs: number;
  logger: Logger;
}): LastUsed {
  let known: () => Iterable<KnownKey> = () => [];
  const reports = createReports({
    ...options,
    maxWaiting: MAX_WAITING,
    collect() {
      for (const key of known()) keep(key);
    },
  });

  function keep(key: KnownKey): void {
    if (key.lastUsedMs <= key.reportedMs) return;
    if (reports.used(key.record.id, key.lastUsedMs)) key.reportedMs = key.lastUsedMs;
  }

  return {
    follow(source) {
      known = source;
    },
    keep,
    report: () => reports.report(),
    stop: () => reports.stop(),
  };
}

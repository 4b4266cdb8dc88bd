import { createLastUsed as createReports } from '@cellarman/key-service-client';
import type { KeyServiceClient } from '@cellarman/key-service-client';
import type { Logger } from '@cellarman/telemetry';
import type { KnownKey } from './known-key.ts';

/** Uses that wait for key-service to come back; beyond it the dashboard shows an older date. */
const MAX_WAITING = 100_000;
/** A key's first use shows that a device works. Its operator waits for it. */
const FIRST_USE_MS = 2_000;

/**
 * Reports to key-service when each key was last used: the first use within seconds, later ones once an interval. A request
 * only notes the time on its key.
 */
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
  /** The time between two reports of one key. */
  intervalMs: number;
  logger: Logger;
  /** @default Date.now */
  now?: () => number;
}): LastUsed {
  const { intervalMs, now = Date.now } = options;
  let known: () => Iterable<KnownKey> = () => [];
  const reports = createReports({
    ...options,
    intervalMs: Math.min(FIRST_USE_MS, intervalMs),
    maxWaiting: MAX_WAITING,
    collect() {
      const nowMs = now();
      for (const key of known()) if (nowMs >= key.reportAfterMs) keep(key);
    },
  });

  function keep(key: KnownKey): void {
    if (key.lastUsedMs <= key.reportedMs) return;
    if (!reports.used(key.record.id, key.lastUsedMs)) return;
    key.reportedMs = key.lastUsedMs;
    key.reportAfterMs = nextReport(key.record.id, intervalMs, now());
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

/**
 * Returns the next time at which all replicas report a key. It comes from the id: the keys of a fleet are spread over the
 * interval, and key-service stores one report of several that arrive at about the same time.
 */
function nextReport(id: string, intervalMs: number, nowMs: number): number {
  const offset = (Number.parseInt(id.slice(0, 8), 16) || 0) % intervalMs;
  return nowMs + intervalMs - ((nowMs - offset) % intervalMs);
}

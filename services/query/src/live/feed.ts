import { setTimeout as delay } from 'node:timers/promises';
import type { Select } from '../clickhouse/select.ts';
import type { StoredArrival } from './arrival.ts';
import { MAX_ROWS_PER_POLL, nameOf, selectArrivals, selectParts } from './select-arrivals.ts';
import type { Part } from './select-arrivals.ts';
import { watchRejections } from './watch-rejections.ts';

/** What one poll found. */
export interface Arrivals {
  /** The newest first. */
  readings: readonly StoredArrival[];
  /** Further ones, which were not read. */
  unread: number;
  /** `storedAt` of the newest. */
  position: string;
  seenAt: Date;
}

export interface FeedListener {
  onArrivals(arrivals: Arrivals): void;
  onRejected(): void;
  /** ClickHouse cannot be queried. Nothing follows. */
  onFailed(error: unknown): void;
}

/** Polls ClickHouse once for all who watch a cellar. */
export interface Feed {
  /** Resolves when everything that becomes visible from now on will be reported. */
  ready: Promise<void>;
  stop(): void;
}

export interface FeedOptions {
  cellar: string;
  select: Select;
  pollMs: number;
  clock: () => Date;
  lastRejection: (cellar: string) => Promise<string | null>;
  listener: FeedListener;
}

/** After this long without readings the polls become fewer. */
const IDLE_AFTER_MS = 10_000;
const IDLE_POLL_MS = 1_000;
/** A restart of ClickHouse takes less. */
const FAILED_AFTER_MS = 10_000;

/**
 * Reports the readings of a cellar as they become visible, also those of inserts that take longer than later ones: each poll
 * lists the recent inserts and compares them with those of the poll before. A position in time alone would miss them.
 */
export function startFeed({ cellar, select, pollMs, clock, lastRejection, listener }: FeedOptions): Feed {
  const stopped = new AbortController();
  const { signal } = stopped;
  let known = new Set<string>();
  let arrivedAt = performance.now();

  const ready = listParts().then(() => void run());
  void watchRejections({ cellar, lastRejection, onRejected: () => listener.onRejected(), signal });

  /** Returns the parts that were not there before. */
  async function listParts(): Promise<Part[]> {
    const parts = await selectParts(select, cellar, signal);
    const fresh = parts.filter((part) => !known.has(nameOf(part)));
    known = new Set(parts.map(nameOf));
    return fresh;
  }

  async function poll(): Promise<void> {
    const before = known;
    const parts = await listParts();
    const seenAt = clock();
    const [newest] = parts;
    if (newest === undefined) return;
    try {
      const readings = await selectArrivals(select, cellar, parts, signal);
      arrivedAt = performance.now();
      const all = parts.reduce((sum, part) => sum + part.readings, 0);
      const unread = readings.length < MAX_ROWS_PER_POLL ? 0 : Math.max(0, all - readings.length);
      if (readings.length > 0) listener.onArrivals({ readings, unread, position: newest.storedAt, seenAt });
    } catch (error) {
      // The next poll finds them again.
      known = before;
      throw error;
    }
  }

  async function run(): Promise<void> {
    let succeededAt = performance.now();
    while (await pause()) {
      try {
        await poll();
        succeededAt = performance.now();
      } catch (error) {
        if (signal.aborted) return;
        if (performance.now() - succeededAt < FAILED_AFTER_MS) continue;
        listener.onFailed(error);
        return;
      }
    }
  }

  /** Resolves with false when the feed was stopped. */
  async function pause(): Promise<boolean> {
    const isIdle = performance.now() - arrivedAt > IDLE_AFTER_MS;
    await delay(isIdle ? Math.max(pollMs, IDLE_POLL_MS) : pollMs, undefined, { signal }).catch(
      () => undefined,
    );
    return !signal.aborted;
  }

  return { ready, stop: () => stopped.abort() };
}

import { setTimeout as delay } from 'node:timers/promises';

export interface WatchRejectionsOptions {
  cellar: string;
  /** When a reading of the cellar was last rejected. */
  lastRejection: (cellar: string) => Promise<string | null>;
  onRejected: () => void;
  signal: AbortSignal;
}

/** Ingest reports as often. */
const EVERY_MS = 2_000;

/**
 * Polls key-service, which counts rejections, once for all who watch a cellar. Without a response nothing is reported: the
 * dashboard also polls now and then.
 */
export async function watchRejections(options: WatchRejectionsOptions): Promise<void> {
  const { cellar, lastRejection, onRejected, signal } = options;
  let known: string | null | undefined;
  while (!signal.aborted) {
    const last = await lastRejection(cellar).catch(() => known);
    if (known !== undefined && last !== null && last !== known) onRejected();
    known = last;
    await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

import type { Telemetry } from '@cellarman/telemetry';
import type { SelectAs } from '../clickhouse/select.ts';
import { startFeed } from './feed.ts';
import type { Feed, FeedListener } from './feed.ts';

/** Watches cellars. Those who watch the same cellar share its polls. */
export interface Feeds {
  /**
   * Resolves when everything that becomes visible from now on will be reported.
   *
   * @returns what ends it
   * @throws {ApiError} when ClickHouse cannot be queried
   */
  watch(cellar: string, listener: FeedListener): Promise<() => void>;
  /** How many cellars are polled. */
  size: () => number;
}

interface Shared {
  feed: Feed;
  listeners: Set<FeedListener>;
}

/** The polls count as one reader, so that they leave most slots to requests. */
const READER = { id: 'live' };

export interface FeedsOptions {
  selectAs: SelectAs;
  pollMs: number;
  lastRejection: (cellar: string) => Promise<string | null>;
  clock: () => Date;
  logger: Telemetry['logger'];
}

export function createFeeds(options: FeedsOptions): Feeds {
  const select = options.selectAs(READER);
  const feeds = new Map<string, Shared>();

  function open(cellar: string): Shared {
    const listeners = new Set<FeedListener>();
    const feed = startFeed({
      ...{ cellar, select, pollMs: options.pollMs, clock: options.clock },
      lastRejection: options.lastRejection,
      listener: {
        onArrivals: (arrivals) => listeners.forEach((listener) => listener.onArrivals(arrivals)),
        onRejected: () => listeners.forEach((listener) => listener.onRejected()),
        onFailed(error) {
          options.logger.warn({ err: error, cellar }, 'cannot query new readings, closing the streams');
          if (feeds.get(cellar) === shared) feeds.delete(cellar);
          for (const listener of listeners) listener.onFailed(error);
        },
      },
    });
    const shared = { feed, listeners };
    feeds.set(cellar, shared);
    return shared;
  }

  function leave(cellar: string, shared: Shared, listener: FeedListener): void {
    shared.listeners.delete(listener);
    if (shared.listeners.size > 0) return;
    shared.feed.stop();
    if (feeds.get(cellar) === shared) feeds.delete(cellar);
  }

  return {
    size: () => feeds.size,
    async watch(cellar, listener) {
      const shared = feeds.get(cellar) ?? open(cellar);
      shared.listeners.add(listener);
      try {
        await shared.feed.ready;
      } catch (error) {
        leave(cellar, shared, listener);
        throw error;
      }
      return () => leave(cellar, shared, listener);
    },
  };
}

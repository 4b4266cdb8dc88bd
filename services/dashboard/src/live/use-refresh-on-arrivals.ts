import { hashKey, useQueryClient } from '@tanstack/react-query';
import type { Query, QueryKey } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { liveUrl, useLiveStream } from './use-live-stream.ts';
import type { LiveFilter, LiveStreamState } from './use-live-stream.ts';

/** Queries that are refetched together. */
export interface LivePart {
  /** What their keys begin with. */
  queryKey: QueryKey;
  /** @default 'readings' */
  of?: 'readings' | 'rejections';
  /** The shortest time between two refetches. */
  everyMs: number;
}

/** Relative times and counts of the last minute change without arrivals too. */
const IDLE_MS = 30_000;
const CHECK_EVERY_MS = 1_000;

/**
 * Refetches what a page shows when readings arrive or are rejected, instead of polling. Without a stream it polls. A page
 * calls it once for all its parts, because browsers allow six connections to a host, and each stream takes one.
 *
 * @param filter of the readings. 'off': nothing is refetched
 */
export function useRefreshOnArrivals(
  cellar: string,
  filter: LiveFilter | 'off',
  parts: readonly LivePart[],
): LiveStreamState {
  const queryClient = useQueryClient();
  const arrivedAt = useRef({ readings: 0, rejections: 0 });
  const loads = useRef(new Map<string, { at: number; isFirst: boolean }>());

  function refetchDue(isLive: boolean): void {
    const now = Date.now();
    for (const { queryKey, everyMs, of = 'readings' } of parts) {
      const name = hashKey(queryKey);
      const last = loads.current.get(name);
      // A part that is new loads by itself.
      if (last === undefined) loads.current.set(name, { at: now, isFirst: true });
      else {
        const isNew = isLive && arrivedAt.current[of] >= last.at;
        const isIdle = isLive && !isNew && !hasFailed(queryKey);
        const dueMs = isIdle ? Math.max(everyMs, IDLE_MS) : everyMs;
        // The first arrival shows immediately.
        if (now - last.at < dueMs && !(isNew && last.isFirst)) continue;
        loads.current.set(name, { at: now, isFirst: false });
        void queryClient.invalidateQueries({ queryKey, predicate: isFirstPage });
      }
    }
  }

  const hasFailed = (queryKey: QueryKey): boolean =>
    queryClient
      .getQueryCache()
      .findAll({ queryKey, type: 'active' })
      .some(({ state }) => state.error !== null);

  const url = filter === 'off' ? undefined : liveUrl(cellar, filter, 0);
  const stream = useLiveStream(url, ({ more, hasRejections }) => {
    if (more > 0) arrivedAt.current.readings = Date.now();
    if (hasRejections) arrivedAt.current.rejections = Date.now();
    refetchDue(true);
  });
  const check = useEffectEvent(() => refetchDue(stream.state === 'live'));
  const isOff = url === undefined || stream.state === 'hidden';
  useEffect(() => {
    if (isOff) return undefined;
    check();
    const timer = setInterval(() => check(), CHECK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isOff]);
  return stream;
}

/** Rows of a list of which more was loaded would move. */
function isFirstPage({ state }: Query): boolean {
  const { pages } = (state.data ?? {}) as { pages?: readonly unknown[] };
  return pages === undefined || pages.length <= 1;
}

import { useThrottledCallback } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { liveUrl, useLiveStream } from './use-live-stream.ts';
import type { LiveFilter, LiveStreamState } from './use-live-stream.ts';

/** Relative times and counts of the last minute change without arrivals too. */
const WITHOUT_ARRIVALS_MS = 30_000;

/**
 * Refetches a query when readings arrive in the cellar, instead of polling. Without a stream it polls.
 *
 * @param everyMs the shortest time between two refetches
 * @param filter of the readings. 'off': nothing is refetched
 * @returns `refetchInterval` for the query
 */
export function useRefreshOnArrivals(
  cellar: string,
  queryKey: QueryKey,
  everyMs: number,
  filter: LiveFilter | 'off' = {},
): LiveStreamState & { refetchInterval: number | false } {
  const queryClient = useQueryClient();
  const refresh = useThrottledCallback(() => {
    void queryClient.invalidateQueries({ queryKey });
  }, everyMs);
  const url = filter === 'off' ? undefined : liveUrl(cellar, filter, 0);
  const stream = useLiveStream(url, ({ more }) => {
    if (more > 0) refresh();
  });
  if (url === undefined) return { ...stream, refetchInterval: false };
  const isLive = stream.state === 'live';
  return { ...stream, refetchInterval: isLive ? Math.max(everyMs, WITHOUT_ARRIVALS_MS) : everyMs };
}

import { useThrottledCallback } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { liveUrl } from './live-url.ts';
import { useLiveStream } from './use-live-stream.ts';
import type { LiveStreamState } from './use-live-stream.ts';

/** Relative times and counts of the last minute change without arrivals too. */
const WITHOUT_ARRIVALS_MS = 30_000;

/**
 * Refetches a query when readings arrive in the cellar, instead of polling. Without a stream it polls.
 *
 * @param everyMs the shortest time between two refetches
 * @returns `refetchInterval` for the query
 */
export function useRefreshOnArrivals(
  cellar: string,
  queryKey: QueryKey,
  everyMs: number,
): LiveStreamState & { refetchInterval: number } {
  const queryClient = useQueryClient();
  const refresh = useThrottledCallback(() => {
    void queryClient.invalidateQueries({ queryKey });
  }, everyMs);
  const stream = useLiveStream(liveUrl(cellar, {}, 0), ({ more }) => {
    if (more > 0) refresh();
  });
  return { ...stream, refetchInterval: stream.state === 'live' ? WITHOUT_ARRIVALS_MS : everyMs };
}

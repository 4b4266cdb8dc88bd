import { useDocumentVisibility } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { isSignedOut } from '../api/api-error.ts';
import type { ApiError } from '../api/api-error.ts';
import { openLiveStream } from './live-stream.ts';
import type { LivePosition } from './live-stream.ts';
import type { Arrivals } from './tail.ts';
import { sessionQuery } from '../session/session-query.ts';

/** What a live stream is about. All undefined: the whole cellar. */
export interface LiveFilter {
  rack?: string | undefined;
  rackPrefix?: string | undefined;
  keg?: string | undefined;
}

/** @param limit readings per event; 0: they are only counted */
export function liveUrl(cellar: string, filter: LiveFilter, limit: number): string {
  const search = new URLSearchParams({ limit: String(limit) });
  for (const [name, value] of Object.entries(filter)) if (typeof value === 'string') search.set(name, value);
  return `/api/v1/query/cellars/${encodeURIComponent(cellar)}/live?${search.toString()}`;
}

export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'hidden' | 'failed';

export interface LiveStreamState {
  state: LiveState;
  /** Why the stream is not open. */
  error: ApiError | undefined;
}

/**
 * Keeps a live stream open while the tab is visible.
 *
 * @param url undefined: none
 */
export function useLiveStream(
  url: string | undefined,
  onArrivals: (arrivals: Arrivals) => void,
): LiveStreamState {
  const queryClient = useQueryClient();
  const isVisible = useDocumentVisibility() === 'visible';
  const [open, setOpen] = useState<{ url: string } & LiveStreamState>();
  const position = useRef<{ url: string | undefined } & LivePosition>({ url });
  const receive = useEffectEvent(onArrivals);

  useEffect(() => {
    if (!isVisible || url === undefined) return undefined;
    // A tab that becomes visible again continues where it was hidden.
    if (position.current.url !== url) position.current = { url };
    return openLiveStream({
      url,
      position: position.current,
      onOpen: () => setOpen({ url, state: 'live', error: undefined }),
      onArrivals: (arrivals) => receive(arrivals),
      onLost(error) {
        const isFinal = error.status >= 400 && error.status < 500;
        setOpen({ url, state: isFinal ? 'failed' : 'reconnecting', error });
        // The failed query leads to the sign-in page, as with every other.
        if (isSignedOut(error)) void queryClient.refetchQueries({ queryKey: sessionQuery.queryKey });
      },
    });
  }, [url, isVisible, queryClient]);

  if (!isVisible) return { state: 'hidden', error: undefined };
  return open !== undefined && open.url === url ? open : { state: 'connecting', error: undefined };
}

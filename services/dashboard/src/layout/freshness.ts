import { notifyManager, useQueryClient } from '@tanstack/react-query';
import type { Query, QueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { isSignedOut } from '../api/api-error.ts';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** It is not part of what the page shows, such as the session. */
      isBeside?: boolean;
    };
  }
}

export interface Freshness {
  /** The oldest data of the page, in milliseconds since 1970. Infinity: the page has no data. */
  updatedAt: number;
  /** The oldest data that could not be refreshed. Infinity: none. */
  staleSince: number;
}

/** How old the data of the open page is, whichever queries it has. */
export function useFreshness(): Freshness {
  const queryClient = useQueryClient();
  const subscribe = useCallback(
    (onChange: () => void) => queryClient.getQueryCache().subscribe(notifyManager.batchCalls(onChange)),
    [queryClient],
  );
  return {
    updatedAt: useSyncExternalStore(subscribe, () => oldest(shownQueries(queryClient))),
    staleSince: useSyncExternalStore(subscribe, () => oldest(shownQueries(queryClient).filter(isStale))),
  };
}

function shownQueries(queryClient: QueryClient): Query[] {
  return queryClient
    .getQueryCache()
    .findAll({ type: 'active' })
    .filter(({ state, meta }) => state.data !== undefined && meta?.isBeside !== true);
}

/** Has data, and failed since. After the end of a session, the sign-in page opens. */
export function isStale({ state }: Query): boolean {
  return state.data !== undefined && state.error !== null && !isSignedOut(state.error);
}

function oldest(queries: readonly Query[]): number {
  return Math.min(...queries.map(({ state }) => state.dataUpdatedAt));
}

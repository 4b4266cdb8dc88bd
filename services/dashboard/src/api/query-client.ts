import { QueryCache, QueryClient } from '@tanstack/react-query';
import { isPassing, isSignedOut } from './api-error.ts';

const MOST_RETRIES = 2;

/** Caches responses, so that a page that is opened again renders immediately. Secrets never go through it. */
export function createQueryClient({ onSignedOut }: { onSignedOut: () => void }): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (isSignedOut(error)) onSignedOut();
      },
    }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < MOST_RETRIES && isPassing(error),
        staleTime: 5_000,
        // Offline, a request fails immediately and the page says so.
        networkMode: 'always',
        // Which this mode would turn off.
        refetchOnReconnect: true,
      },
    },
  });
}

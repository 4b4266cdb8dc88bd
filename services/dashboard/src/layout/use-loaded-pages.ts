import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

const CHECK_EVERY_MS = 1_000;

/**
 * Loads the files of all pages, so that they open offline and after a release. First the open page loads its data, which these
 * files would delay on a slow connection.
 */
export function useLoadedPages(): void {
  const router = useRouter();
  const queryClient = useQueryClient();
  useEffect(() => {
    const timer = setInterval(() => {
      if (queryClient.isFetching() > 0) return;
      clearInterval(timer);
      for (const route of Object.values(router.routesById)) void router.loadRouteChunk(route);
    }, CHECK_EVERY_MS);
    return () => clearInterval(timer);
  }, [router, queryClient]);
}

import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Loads the files of all pages when the browser is idle, so that they open offline and after a release. */
export function useLoadedPages(): void {
  const router = useRouter();
  useEffect(() => {
    const load = (): void => {
      for (const route of Object.values(router.routesById)) void router.loadRouteChunk(route);
    };
    // Safari has no requestIdleCallback.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(load, 2_000);
      return () => clearTimeout(timer);
    }
    const callback = requestIdleCallback(load);
    return () => cancelIdleCallback(callback);
  }, [router]);
}

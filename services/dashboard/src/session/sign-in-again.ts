import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import { sessionQuery } from './session-query.ts';

/** The session has ended while a page was open: sign in, and come back to it. */
export function signInAgain(router: AnyRouter, queryClient: QueryClient): void {
  // Without a session before, the page that is asked for leads to the sign-in by itself.
  if (queryClient.getQueryData(sessionQuery.queryKey) === undefined) return;
  const { href, pathname } = router.state.location;
  queryClient.clear();
  if (pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { next: href, ended: true } });
}

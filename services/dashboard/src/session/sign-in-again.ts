import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import { sessionQuery } from './session-query.ts';

/** Opens the sign-in page after the end of a session, and returns to the current page afterwards. */
export function signInAgain(router: AnyRouter, queryClient: QueryClient): void {
  // Without a previous session, the requested page redirects to the sign-in page itself.
  if (queryClient.getQueryData(sessionQuery.queryKey) === undefined) return;
  const { href, pathname } = router.state.location;
  queryClient.clear();
  if (pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { next: href, ended: true } });
}

import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { QueryClient } from '@tanstack/react-query';
import { isSignedOut } from './api/api-error.ts';
import { readDataSearch } from './data/data-search.ts';
import { pageChunk } from './api/page-chunk.ts';
import { readOverviewSearch } from './overview/overview-search.ts';
import { rackPath } from './rack/rack-path.ts';
import { readRackSearch } from './rack/rack-search.ts';
import { readRacksSearch } from './racks/racks-search.ts';
import { readAuditSearch } from './audit/audit-search.ts';
import { CellarsPage } from './cellars/cellars-page.tsx';
import { readCellarsSearch } from './cellars/cellars-search.ts';
import { readCursor } from './display/read-search.ts';
import { PageFailed, PartFailed, PageNotFound, PartNotFound } from './layout/instead-of-page.tsx';
import { AppFrame } from './layout/app-frame.tsx';
import { CellarFrame } from './layout/cellar-frame.tsx';
import { readDeadLettersSearch } from './dead-letters/dead-letters-search.ts';
import { readFollowSearch } from './follow/follow-search.ts';
import { readLiveSearch } from './live/live-search.ts';
import { KeysPage } from './keys/keys-page.tsx';
import { readKeysSearch } from './keys/keys-search.ts';
import { readPeopleSearch } from './people/people-search.ts';
import { sessionQuery, setUpQuery } from './session/session-query.ts';
import { SignInPage } from './session/sign-in-page.tsx';
import { readSignInSearch } from './session/sign-in-search.ts';

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  notFoundComponent: PageNotFound,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readSignInSearch,
  beforeLoad: async ({ context }) => {
    const { isNeeded } = await context.queryClient.query(setUpQuery);
    if (isNeeded) throw redirect({ to: '/set-up' });
  },
  component: SignInPage,
  errorComponent: PageFailed,
});

const setUp = createRoute({
  getParentRoute: () => root,
  path: '/set-up',
  beforeLoad: async ({ context }) => {
    const { isNeeded } = await context.queryClient.query(setUpQuery);
    if (!isNeeded) throw redirect({ to: '/sign-in' });
  },
  errorComponent: PageFailed,
  component: pageChunk(() => import('./session/set-up-page.tsx'), 'SetUpPage'),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: pageChunk(() => import('./session/invitation-page.tsx'), 'InvitationPage'),
  errorComponent: PageFailed,
});

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queryClient.query(sessionQuery);
    } catch (error) {
      if (isSignedOut(error)) throw redirect({ to: '/sign-in', search: { next: location.href } });
      throw error;
    }
  },
  component: AppFrame,
  errorComponent: PageFailed,
  notFoundComponent: PartNotFound,
});

const cellars = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  validateSearch: readCellarsSearch,
  component: CellarsPage,
});

const people = createRoute({
  getParentRoute: () => signedIn,
  path: '/people',
  validateSearch: readPeopleSearch,
  component: pageChunk(() => import('./people/people-page.tsx'), 'PeoplePage'),
});

const tokens = createRoute({
  getParentRoute: () => signedIn,
  path: '/tokens',
  validateSearch: readCursor,
  component: pageChunk(() => import('./tokens/tokens-page.tsx'), 'TokensPage'),
});

const pipeline = createRoute({
  getParentRoute: () => signedIn,
  path: '/pipeline',
  // The range of its charts.
  validateSearch: readOverviewSearch,
  component: pageChunk(() => import('./pipeline/pipeline-page.tsx'), 'PipelinePage'),
});

const deadLetters = createRoute({
  getParentRoute: () => signedIn,
  path: '/dead-letters',
  validateSearch: readDeadLettersSearch,
  component: pageChunk(() => import('./dead-letters/dead-letters-page.tsx'), 'DeadLettersPage'),
});

const globalAudit = createRoute({
  getParentRoute: () => signedIn,
  path: '/audit',
  validateSearch: readAuditSearch,
  component: pageChunk(() => import('./audit/audit-page.tsx'), 'GlobalAuditPage'),
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  validateSearch: readCursor,
  component: pageChunk(() => import('./account/account-page.tsx'), 'AccountPage'),
});

const cellar = createRoute({
  getParentRoute: () => signedIn,
  path: '/cellars/$cellar',
  // State of one cellar must never show under the name of another.
  remountDeps: ({ params }) => params,
  component: CellarFrame,
  notFoundComponent: PartNotFound,
});

const overview = createRoute({
  getParentRoute: () => cellar,
  path: '/',
  validateSearch: readOverviewSearch,
  component: pageChunk(() => import('./overview/overview-page.tsx'), 'OverviewPage'),
});

const data = createRoute({
  getParentRoute: () => cellar,
  path: '/data',
  validateSearch: readDataSearch,
  component: pageChunk(() => import('./data/data-page.tsx'), 'DataPage'),
});

const keys = createRoute({
  getParentRoute: () => cellar,
  path: '/keys',
  validateSearch: readKeysSearch,
  component: KeysPage,
});

const key = createRoute({
  getParentRoute: () => cellar,
  path: '/keys/$id',
  validateSearch: readOverviewSearch,
  remountDeps: ({ params }) => params,
  component: pageChunk(() => import('./key/key-page.tsx'), 'KeyPage'),
});

const rack = createRoute({
  getParentRoute: () => cellar,
  path: '/racks/$rack',
  params: rackPath,
  validateSearch: readRackSearch,
  remountDeps: ({ params }) => params,
  component: pageChunk(() => import('./rack/rack-page.tsx'), 'RackPage'),
});

const racks = createRoute({
  getParentRoute: () => cellar,
  path: '/racks',
  validateSearch: readRacksSearch,
  beforeLoad: ({ params, search: { rack } }) => {
    // Until version 0.1 a rack was shown beside the list.
    if (rack !== undefined) {
      throw redirect({ to: '/cellars/$cellar/racks/$rack', params: { ...params, rack }, replace: true });
    }
  },
  component: pageChunk(() => import('./racks/racks-page.tsx'), 'RacksPage'),
});

const alerts = createRoute({
  getParentRoute: () => cellar,
  path: '/alerts',
  validateSearch: readCursor,
  component: pageChunk(() => import('./alerts/alerts-page.tsx'), 'AlertsPage'),
});

const verification = createRoute({
  getParentRoute: () => cellar,
  path: '/verification',
  component: pageChunk(() => import('./verification/verification-page.tsx'), 'VerificationPage'),
});

const live = createRoute({
  getParentRoute: () => cellar,
  path: '/live',
  validateSearch: readLiveSearch,
  component: pageChunk(() => import('./live/live-page.tsx'), 'LivePage'),
});

const follow = createRoute({
  getParentRoute: () => cellar,
  path: '/follow',
  validateSearch: readFollowSearch,
  component: pageChunk(() => import('./follow/follow-page.tsx'), 'FollowPage'),
});

const settings = createRoute({
  getParentRoute: () => cellar,
  path: '/settings',
  component: pageChunk(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
});

const audit = createRoute({
  getParentRoute: () => cellar,
  path: '/audit',
  validateSearch: readAuditSearch,
  component: pageChunk(() => import('./audit/audit-page.tsx'), 'AuditPage'),
});

const tree = root.addChildren([
  signIn,
  setUp,
  invitation,
  signedIn.addChildren([
    cellars,
    people,
    tokens,
    pipeline,
    deadLetters,
    globalAudit,
    account,
    cellar.addChildren([
      ...[overview, data, live, keys, key, racks, rack],
      ...[alerts, verification, follow, settings, audit],
    ]),
  ]),
]);

/** All routes. Filters, sort order and cursor of a page are in its URL. */
export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { queryClient },
    defaultPreload: 'intent',
    // The queries decide what is fresh.
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: PartFailed,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}

import cookies from '@fastify/cookie';
import { compressResponses, createHttpApp } from '@cellarman/http-api';
import type { HttpAppOptions } from '@cellarman/http-api';
import swagger from '@fastify/swagger';
import { healthRoutes, probeRoutes } from '@cellarman/lifecycle';
import type { HealthRoutesOptions } from '@cellarman/lifecycle';
import type { FastifyInstance } from 'fastify';
import { authenticate } from './authenticate.ts';
import { enforceAccess } from './access/enforce-access.ts';
import { userRoutes } from './users/user-routes.ts';
import type { UsersRepository } from './users/users-repository.ts';
import type { CheckPassword } from './users/check-password.ts';
import type { ChangePassword } from './users/change-password.ts';
import { passwordRoutes } from './users/password-routes.ts';
import { alertRoutes } from './alerts/states/alert-routes.ts';
import type { AlertsRepository } from './alerts/states/alerts-repository.ts';
import { destinationRoutes } from './alerts/destinations/destination-routes.ts';
import type { DestinationsRepository } from './alerts/destinations/destinations-repository.ts';
import { ruleRoutes } from './alerts/rules/rule-routes.ts';
import type { RulesRepository } from './alerts/rules/rules-repository.ts';
import { auditExportRoutes } from './audit/audit-export-routes.ts';
import { auditRoutes } from './audit/audit-routes.ts';
import type { AuditRepository } from './audit/audit-repository.ts';
import type { Commit } from './changes/committer.ts';
import { claimCodeRoutes } from './claims/claim-code-routes.ts';
import type { ClaimCodesRepository } from './claims/claim-codes-repository.ts';
import type { ClaimKey } from './claims/claim-key.ts';
import { claimRoutes } from './claims/claim-routes.ts';
import { cellarRoutes } from './cellars/cellar-routes.ts';
import type { CellarRoutesOptions } from './cellars/cellar-routes.ts';
import { ingestUrlRoutes } from './dashboard/ingest-url-routes.ts';
import type { IngestUrlRoutesOptions } from './dashboard/ingest-url-routes.ts';
import { dashboardAssets } from './dashboard/dashboard-assets.ts';
import { deadLetterRoutes } from './dead-letters/dead-letter-routes.ts';
import type { DeadLettersRepository } from './dead-letters/dead-letters-repository.ts';
import { createDashboardPage } from './dashboard/dashboard-page.ts';
import { createClientOf, NO_PROXIES } from './http/client.ts';
import { normalizeForwardedFor } from './http/forwarded-for.ts';
import { readOnlyJson } from './http/json-bodies.ts';
import { limitUnauthenticated } from './http/limit-unauthenticated.ts';
import { openApi } from './open-api.ts';
import { requireLiteralPath } from './http/require-literal-path.ts';
import { internalRoutes } from './internal/internal-routes.ts';
import type { InternalRoutesOptions } from './internal/internal-routes.ts';
import { invitationRoutes } from './invitations/invitation-routes.ts';
import type { Invitations } from './invitations/invitations.ts';
import { joinRoutes } from './invitations/join-routes.ts';
import { kegRoutes } from './kegs/keg-routes.ts';
import type { KegSettingsRepository } from './kegs/keg-settings-repository.ts';
import { keyBatchRoutes } from './keys/key-batch-routes.ts';
import { keyRoutes } from './keys/key-routes.ts';
import type { KeysRepository } from './keys/keys-repository.ts';
import { pipelineRoutes } from './pipeline/pipeline-routes.ts';
import type { PipelineRoutesOptions } from './pipeline/pipeline-routes.ts';
import { queryProxy } from './query-proxy/query-proxy.ts';
import type { QueryProxyOptions } from './query-proxy/query-proxy.ts';
import { rejectionRoutes } from './rejections/rejection-routes.ts';
import type { RejectionsRepository } from './rejections/rejections-repository.ts';
import { rejectCrossSiteRequests } from './sessions/reject-cross-site-requests.ts';
import { createSignIn } from './sessions/sign-in.ts';
import { sessionListRoutes } from './sessions/session-list-routes.ts';
import { sessionRoutes } from './sessions/session-routes.ts';
import type { SessionRoutesOptions } from './sessions/session-routes.ts';
import { setUpRoutes } from './set-up/set-up-routes.ts';
import type { SetUp } from './set-up/set-up.ts';
import { testReadingRoutes } from './test-readings/test-reading-routes.ts';
import type { TestReadingRoutesOptions } from './test-readings/test-reading-routes.ts';
import { tokenRoutes } from './tokens/token-routes.ts';
import type { Tokens } from './tokens/tokens.ts';

export interface AppOptions
  extends
    HttpAppOptions,
    Omit<SessionRoutesOptions, 'signIn' | 'clientOf'>,
    CellarRoutesOptions,
    HealthRoutesOptions,
    IngestUrlRoutesOptions,
    PipelineRoutesOptions,
    TestReadingRoutesOptions,
    QueryProxyOptions {
  users: UsersRepository;
  setUp: SetUp;
  commit: Commit;
  changePassword: ChangePassword;
  checkPassword: CheckPassword;
  invitations: Invitations;
  tokens: Tokens;
  kegs: KegSettingsRepository;
  keys: KeysRepository;
  claimCodes: ClaimCodesRepository;
  claimKey: ClaimKey;
  audit: AuditRepository;
  deadLetters: DeadLettersRepository;
  rejections: RejectionsRepository;
  rules: RulesRepository;
  destinations: DestinationsRepository;
  alerts: AlertsRepository;
  /** Undefined: the internal routes, the metrics and the details of readiness have a port of their own. */
  internal: InternalRoutesOptions | undefined;
  /** Holds the built dashboard. */
  dashboardDirectory: string;
  trustedProxies: string[];
}

/** The whole HTTP surface. Each route has schemas of its request and its responses, from which OpenAPI is generated. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { dashboardDirectory } = options;
  const clientOf = createClientOf(options.trustedProxies);
  const app = createHttpApp(
    { ...options, trustedProxies: options.trustedProxies.filter((proxy) => proxy !== NO_PROXIES) },
    { onRequest: [normalizeForwardedFor], pages: createDashboardPage(dashboardDirectory) },
  );
  app.addHook('onRequest', requireLiteralPath);
  readOnlyJson(app);
  app.decorateRequest('requester', null);
  await app.register(cookies);
  await app.register(swagger, openApi);

  if (options.internal === undefined) {
    await app.register(probeRoutes, options);
  } else {
    await app.register(healthRoutes, options);
    await app.register(internalRoutes, options.internal);
  }
  await app.register(dashboardAssets, { directory: dashboardDirectory });
  await app.register(queryProxy, options);
  await app.register(async (management) => {
    rejectCrossSiteRequests(management);
    compressResponses(management);
    management.addHook('onSend', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });
    const signIn = createSignIn(options);
    await management.register(async (unauthenticated) => {
      limitUnauthenticated(unauthenticated, { clientOf });
      await unauthenticated.register(setUpRoutes, { ...options, signIn });
      await unauthenticated.register(sessionRoutes, { ...options, signIn, clientOf });
      await unauthenticated.register(joinRoutes, { ...options, signIn });
    });
    // With a limit of their own: a fleet behind one IP address keeps nobody there from signing in.
    await management.register(async (devices) => {
      limitUnauthenticated(devices, { clientOf });
      await devices.register(claimRoutes, options);
    });
    await management.register(async (signedIn) => {
      authenticate(signedIn, options);
      enforceAccess(signedIn);
      await signedIn.register(sessionListRoutes, options);
      await signedIn.register(passwordRoutes, { ...options, signIn });
      await signedIn.register(userRoutes, options);
      await signedIn.register(invitationRoutes, options);
      await signedIn.register(tokenRoutes, options);
      await signedIn.register(cellarRoutes, options);
      await signedIn.register(kegRoutes, options);
      await signedIn.register(keyRoutes, options);
      await signedIn.register(claimCodeRoutes, options);
      await signedIn.register(keyBatchRoutes, options);
      await signedIn.register(auditRoutes, options);
      await signedIn.register(auditExportRoutes, options);
      await signedIn.register(rejectionRoutes, options);
      await signedIn.register(ruleRoutes, options);
      await signedIn.register(destinationRoutes, options);
      await signedIn.register(alertRoutes, options);
      await signedIn.register(ingestUrlRoutes, options);
      await signedIn.register(pipelineRoutes, options);
      await signedIn.register(testReadingRoutes, options);
      await signedIn.register(deadLetterRoutes, options);
    });
    management.get('/api/v1/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  });
  return app;
}

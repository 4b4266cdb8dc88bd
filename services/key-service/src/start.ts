import { resolve } from 'node:path';
import { gracefulHttpStop, stopTimes } from '@cellarman/lifecycle';
import type { Service, Step } from '@cellarman/lifecycle';
import { observeRequests, streamLimits } from '@cellarman/http-api';
import { certificateFiles } from '@cellarman/tls';
import type { FastifyInstance } from 'fastify';
import packageJson from '../package.json' with { type: 'json' };
import { createUsersRepository } from './users/users-repository.ts';
import { createChangePassword } from './users/change-password.ts';
import { createCheckPassword } from './users/check-password.ts';
import { createPasswords } from './passwords/password.ts';
import { startAlerts } from './alerts/start-alerts.ts';
import { createApp } from './app.ts';
import { createAuditRepository } from './audit/audit-repository.ts';
import { createCellarsRepository } from './cellars/cellars-repository.ts';
import { createChangesRepository } from './changes/changes-repository.ts';
import { createCommit } from './changes/committer.ts';
import { createClaimCodesRepository } from './claims/claim-codes-repository.ts';
import { createClaimKey } from './claims/claim-key.ts';
import { loadConfig } from './config.ts';
import type { Config } from './config.ts';
import { createInternalApp } from './internal/internal-app.ts';
import { internalTokens } from './internal/internal-tokens.ts';
import { createLastUsedRepository } from './internal/last-used-repository.ts';
import { createRetentionRepository } from './internal/retention-repository.ts';
import { createInvitations } from './invitations/invitations.ts';
import { createKegSettingsRepository } from './kegs/keg-settings-repository.ts';
import { createKeysRepository } from './keys/keys-repository.ts';
import { observeExpiringKeys } from './keys/observe-expiring-keys.ts';
import { startLookups } from './lookup/start-lookups.ts';
import { createDeadLettersRepository } from './dead-letters/dead-letters-repository.ts';
import { createPipelineHistory } from './pipeline/pipeline-history.ts';
import { createReplicaReports } from './pipeline/replica-reports.ts';
import { checkTimeouts } from './postgres/check-timeouts.ts';
import { createDatabase } from './postgres/database.ts';
import { migrateIfNeeded } from './postgres/migrate.ts';
import { observeDatabases } from './postgres/observe-databases.ts';
import { pruneOldRows } from './postgres/prune-old-rows.ts';
import { createLiveResponses } from './query-proxy/live-responses.ts';
import { connectRedis } from './redis.ts';
import { createRecordRejections } from './rejections/record-rejections.ts';
import { createRejectionsRepository } from './rejections/rejections-repository.ts';
import { createAuditSignIns } from './sessions/audit-sign-ins.ts';
import { createFindAccount } from './sessions/find-account.ts';
import { createSessionCookie } from './sessions/session-cookie.ts';
import { createSessions } from './sessions/sessions.ts';
import { createSignInThrottle } from './sessions/sign-in-throttle.ts';
import { beginSetUp } from './set-up/begin-set-up.ts';
import { createSetUp } from './set-up/set-up.ts';
import { createSendToIngest } from './test-readings/send-to-ingest.ts';
import { observeUnusedTokens } from './tokens/observe-unused-tokens.ts';
import { createTokens } from './tokens/tokens.ts';

/** After how long without PostgreSQL the replica is not ready. A restart of PostgreSQL takes less. */
const NOT_READY_AFTER_MS = 10_000;
const MAX_WAITING_LOOKUPS = 500;
const MAX_WAITING_OTHERS = 200;
const MAX_WAITING_UNAUTHENTICATED = 50;

export const keyService = {
  name: 'key-service',
  version: packageJson.version,
  parts: ['postgres', 'http'],
  trustRemoteParent: false,
  loadConfig,
  start,
};

/** Migrates, connects, listens. */
async function start({ config, telemetry, logger, readiness, tls }: Service<Config>) {
  await migrateIfNeeded(config.DATABASE_URL, logger);

  // Apart from each other, so that neither a flood of unknown keys nor one of sign-ins keeps an owner from revoking a key.
  const connections = shareConnections(config.DATABASE_CONNECTIONS);
  const databaseOptions = { url: config.DATABASE_URL, logger };
  const lookupDatabase = createDatabase({
    ...databaseOptions,
    name: 'key-service lookups',
    connections: connections.lookups,
    maxWaiting: MAX_WAITING_LOOKUPS,
    // A request of a device waits for it, and must be finished within five seconds.
    statementTimeoutMs: 1_000,
  });
  const database = createDatabase({
    ...databaseOptions,
    name: 'key-service',
    connections: connections.management,
    maxWaiting: MAX_WAITING_OTHERS,
  });
  const unauthenticatedDatabase = createDatabase({
    ...databaseOptions,
    name: 'key-service unauthenticated',
    connections: connections.unauthenticated,
    maxWaiting: MAX_WAITING_UNAUTHENTICATED,
  });
  await checkTimeouts(database, logger);
  observeDatabases(telemetry.meter, {
    lookups: lookupDatabase,
    management: database,
    unauthenticated: unauthenticatedDatabase,
  });
  // A lookup gives up on Redis early, since PostgreSQL can serve it; a sign-in waits longer.
  const redisOptions = {
    url: config.REDIS_URL,
    certificate: certificateFiles(config, 'REDIS_TLS'),
    logger,
  };
  const [copiesRedis, signInsRedis] = await Promise.all([
    connectRedis({ ...redisOptions, name: 'key-service-copies', timeoutMs: 200 }),
    connectRedis({ ...redisOptions, name: 'key-service-sign-ins', timeoutMs: 1_500, checksEviction: true }),
  ]);

  const tokens = internalTokens(config);
  const changes = createChangesRepository(database);
  const lookups = startLookups({
    database: lookupDatabase,
    changes,
    redis: copiesRedis,
    config,
    // Nobody but key-service has all of them.
    cacheSecret: JSON.stringify(tokens),
    telemetry,
    onPull: (ageMs) => readiness.set('postgres', ageMs < NOT_READY_AFTER_MS, 'PostgreSQL is unreachable'),
  });
  const rejections = createRejectionsRepository({ database });
  const replicas = createReplicaReports({ database });
  const history = createPipelineHistory({ database });
  const alerts = startAlerts({ database, config, logger, meter: telemetry.meter, replicas });
  const deadLetters = createDeadLettersRepository({ database });
  const pruning = pruneOldRows({
    logger,
    tables: {
      alerts: () => alerts.alerts.prune(),
      changes: () => changes.prune(config.CHANGES_KEPT_HOURS),
      rejections: () => rejections.prune(),
      replica_reports: () => replicas.prune(),
      pipeline_history: () => history.prune(),
      dead_letters: () => deadLetters.prune(),
    },
  });

  const expiringKeys = observeExpiringKeys({ database, ...telemetry });
  const unusedTokens = observeUnusedTokens({ database, ...telemetry });

  const commit = createCommit({ database, onCommitted: lookups.committed });
  const users = createUsersRepository({ database });
  const passwords = createPasswords();
  const setUp = createSetUp({
    database: unauthenticatedDatabase,
    users: createUsersRepository({ database: unauthenticatedDatabase }),
    passwords,
  });
  await beginSetUp({ users, passwords, setUp, config, logger });

  const throttle = createSignInThrottle({ redis: signInsRedis, prefix: config.REDIS_PREFIX });
  const checkPassword = createCheckPassword({ users, passwords, throttle });
  const sessions = createSessions({
    database,
    idleSeconds: config.SESSION_IDLE_SECONDS,
    maxSeconds: config.SESSION_MAX_SECONDS,
  });
  const kegs = createKegSettingsRepository({ database });
  const internal = {
    tokens,
    lookUp: lookups.lookUp,
    changes,
    lastUsed: createLastUsedRepository({ database }),
    rejections: createRecordRejections({ database }),
    lastRejection: (cellar: string) => rejections.lastAt(cellar),
    replicas,
    kegs,
    deadLetters,
    retention: createRetentionRepository({ database, defaultDays: config.DEFAULT_RETENTION_DAYS }),
    sessions,
  };
  const served = {
    tls,
    readiness,
    metricsText: telemetry.metricsText,
    logger,
    maxConnections: config.MAX_CONNECTIONS,
    observe: (observed: FastifyInstance) =>
      observeRequests(observed, { ...telemetry, service: 'key_service' }),
  };
  const internalApp =
    config.INTERNAL_PORT === undefined ? undefined : await createInternalApp({ ...served, internal });
  const liveResponses = createLiveResponses({ max: config.MAX_LIVE_STREAMS });
  const app = await createApp({
    ...served,
    internal: internalApp === undefined ? internal : undefined,
    queryUrl: config.QUERY_URL,
    streamLimits: streamLimits(config),
    liveResponses,
    trustedProxies: config.TRUSTED_PROXIES,
    users,
    commit,
    passwords,
    setUp,
    sessions,
    cookie: createSessionCookie({ maxSeconds: config.SESSION_MAX_SECONDS }),
    throttle,
    auditSignIns: createAuditSignIns({
      database: unauthenticatedDatabase,
      redis: signInsRedis,
      prefix: config.REDIS_PREFIX,
      logger,
    }),
    findAccount: createFindAccount({ database: unauthenticatedDatabase }),
    checkPassword,
    changePassword: createChangePassword({ database, checkPassword, passwords }),
    invitations: createInvitations({ database, unauthenticatedDatabase, passwords }),
    tokens: createTokens({ database, maxDays: config.TOKEN_MAX_DAYS === 0 ? null : config.TOKEN_MAX_DAYS }),
    cellars: createCellarsRepository({ database, commit }),
    defaultRetentionDays: config.DEFAULT_RETENTION_DAYS,
    kegs,
    keys: createKeysRepository({ database, commit, maxKeysPerCellar: config.MAX_KEYS_PER_CELLAR }),
    claimCodes: createClaimCodesRepository({ database, commit }),
    claimKey: createClaimKey({
      database: unauthenticatedDatabase,
      commit: createCommit({ database: unauthenticatedDatabase, onCommitted: lookups.committed }),
      maxKeysPerCellar: config.MAX_KEYS_PER_CELLAR,
    }),
    audit: createAuditRepository({ database }),
    rejections,
    replicas,
    history,
    deadLetters,
    runbookBaseUrl: config.RUNBOOK_BASE_URL,
    ...alerts,
    dashboardDirectory: resolve(config.DASHBOARD_DIR),
    ingestUrl: config.INGEST_PUBLIC_URL,
    sendToIngest: createSendToIngest(config.INGEST_URL),
  });
  // First, so that the probes respond by the time that clients connect.
  const operationsUrl = await internalApp?.listen({ host: config.HOST, port: config.INTERNAL_PORT ?? 0 });
  const url = await app.listen({ host: config.HOST, port: config.PORT });

  async function stop(step: Step): Promise<void> {
    const apps = internalApp === undefined ? [app] : [app, internalApp];
    const stopApp = (each: FastifyInstance) =>
      gracefulHttpStop(each, { readiness, onDrain: () => liveResponses.end(), ...stopTimes(config) });
    await step('http', () => Promise.all(apps.map(stopApp)));
    pruning.stop();
    expiringKeys.stop();
    unusedTokens.stop();
    await step('changes', () => lookups.stop());
    await step('alerts', () => alerts.stop());
    await step('postgres', () =>
      Promise.all([database, lookupDatabase, unauthenticatedDatabase].map((each) => each.stop())),
    );
    copiesRedis.disconnect();
    signInsRedis.disconnect();
  }
  return { url, operationsUrl: operationsUrl ?? url, stop };
}

/** Half for lookups of API keys, a tenth for people who are not signed in. */
function shareConnections(all: number) {
  const lookups = Math.floor(all / 2);
  const unauthenticated = Math.max(1, Math.floor(all / 10));
  return { lookups, unauthenticated, management: all - lookups - unauthenticated };
}

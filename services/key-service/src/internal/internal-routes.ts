import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  CHANGES_PATH,
  changesResponseSchema,
  changesQuerySchema,
  LAST_USED_PATH,
  lastUsedRequestSchema,
  LOOKUP_PATH,
  lookupResponseSchema,
  lookupRequestSchema,
  RETENTION_PATH,
  retentionQuerySchema,
  retentionResponseSchema,
} from '@cellarman/contracts';
import { Type } from '@sinclair/typebox';
import type { ChangesRepository } from '../changes/changes-repository.ts';
import { ApiError, declareErrors } from '@cellarman/http-api';
import type { Lookup } from '../lookup/lookup.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { InternalTokens } from './internal-tokens.ts';
import type { LastUsedRepository } from './last-used-repository.ts';
import type { RecordRejections } from '../rejections/record-rejections.ts';
import type { ReplicaReports } from '../pipeline/replica-reports.ts';
import type { DeadLettersRepository } from '../dead-letters/dead-letters-repository.ts';
import { internalDeadLetterRoutes } from './dead-letter-routes.ts';
import { healthReportRoutes } from './health-routes.ts';
import type { KegSettingsRepository } from '../kegs/keg-settings-repository.ts';
import { kegUnitsRoute } from './keg-units-route.ts';
import { rejectionsRoute } from './rejections-route.ts';
import type { RejectionsRepository } from '../rejections/rejections-repository.ts';
import { requireInternalToken } from './require-internal-token.ts';
import type { RetentionRepository } from './retention-repository.ts';
import { sessionLookupRoute } from './session-lookup-route.ts';

export interface InternalRoutesOptions {
  tokens: InternalTokens;
  lookUp: Lookup;
  changes: Pick<ChangesRepository, 'after'>;
  lastUsed: LastUsedRepository;
  rejections: RecordRejections;
  lastRejection: RejectionsRepository['lastAt'];
  deadLetters: Pick<DeadLettersRepository, 'record' | 'replays' | 'finish'>;
  replicas: Pick<ReplicaReports, 'recordIngest' | 'recordSink'>;
  retention: RetentionRepository;
  kegs: Pick<KegSettingsRepository, 'units'>;
  sessions: Pick<Sessions, 'find'>;
}

const tags = ['internal'];
const security = [{ internalToken: [] }];
/** 10,000 uses of a key, each with its id and its time. */
const LAST_USED_BODY_LIMIT = 2 * 1_024 * 1_024;

/** Routes for the other services. */
export const internalRoutes: FastifyPluginAsyncTypebox<InternalRoutesOptions> = async (app, options) => {
  const { tokens, lookUp, changes, lastUsed, retention } = options;
  requireInternalToken(app, tokens);
  // Each of them queries the database.
  declareErrors(app, () => ['unavailable']);

  app.post(
    LOOKUP_PATH,
    {
      config: { callers: ['ingest', 'query'] },
      logLevel: 'warn',
      schema: {
        tags,
        security,
        summary: 'Look up keys by their hashes.',
        body: lookupRequestSchema,
        response: { 200: lookupResponseSchema },
      },
    },
    async (request) => {
      const { hashes, atLeast } = request.body;
      // A failed lookup does not affect the others.
      const answers = await Promise.all(hashes.map((hash) => lookUp(hash, atLeast).catch(onlyIfUnavailable)));
      return { answers };
    },
  );

  app.get(
    CHANGES_PATH,
    {
      config: { callers: ['ingest'] },
      logLevel: 'warn',
      schema: {
        tags,
        security,
        summary: 'List changes after a number, read from the primary.',
        querystring: changesQuerySchema,
        response: { 200: changesResponseSchema },
      },
    },
    async (request) => changes.after(request.query.after),
  );

  app.post(
    LAST_USED_PATH,
    {
      config: { callers: ['ingest', 'query'] },
      bodyLimit: LAST_USED_BODY_LIMIT,
      schema: {
        tags,
        security,
        summary:
          'Report when keys were last used. Times only move forward, up to the current time of the database.',
        body: lastUsedRequestSchema,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { uses } = request.body;
      if (uses.some(({ at }) => Number.isNaN(Date.parse(at)))) {
        throw new ApiError('invalid_request', 'body/uses: each `at` must be a valid time');
      }
      await lastUsed.record(uses);
      return reply.code(204).send(null);
    },
  );

  app.get(
    RETENTION_PATH,
    {
      config: { callers: ['sink'] },
      schema: {
        tags,
        security,
        summary: 'Get the retention of each cellar.',
        querystring: retentionQuerySchema,
        response: { 200: retentionResponseSchema },
      },
    },
    async ({ query: { epoch, after } }) =>
      retention.after({
        ...(epoch !== undefined && { epoch }),
        ...(after !== undefined && { number: after }),
      }),
  );

  await app.register(rejectionsRoute, options);
  await app.register(healthReportRoutes, options);
  await app.register(internalDeadLetterRoutes, options);
  await app.register(sessionLookupRoute, options);
  await app.register(kegUnitsRoute, options);
};

function onlyIfUnavailable(error: unknown): null {
  if (error instanceof ApiError && error.code === 'unavailable') return null;
  throw error;
}

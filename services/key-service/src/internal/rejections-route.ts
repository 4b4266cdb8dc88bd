import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  lastRejectionQuerySchema,
  lastRejectionResponseSchema,
  REJECTIONS_PATH,
  rejectionsRequestSchema,
} from '@cellarman/contracts';
import { Type } from '@sinclair/typebox';
import type { RecordRejections } from '../rejections/record-rejections.ts';
import type { RejectionsRepository } from '../rejections/rejections-repository.ts';

/** 1,000 kinds, each with the name of a rack. */
const BODY_LIMIT = 4 * 1_024 * 1_024;

/** What ingest has rejected. */
export const rejectionsRoute: FastifyPluginAsyncTypebox<{
  rejections: RecordRejections;
  lastRejection: RejectionsRepository['lastAt'];
}> = async (app, { rejections, lastRejection }) => {
  app.post(
    REJECTIONS_PATH,
    {
      config: { callers: ['ingest'] },
      bodyLimit: BODY_LIMIT,
      logLevel: 'warn',
      schema: {
        tags: ['internal'],
        security: [{ internalToken: [] }],
        summary: 'Report rejections since the last report. A report that is sent again counts once.',
        body: rejectionsRequestSchema,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await rejections(request.body);
      return reply.code(204).send(null);
    },
  );

  app.get(
    REJECTIONS_PATH,
    {
      config: { callers: ['query'] },
      logLevel: 'warn',
      schema: {
        tags: ['internal'],
        security: [{ internalToken: [] }],
        summary: 'Get when a reading of a cellar was last rejected.',
        querystring: lastRejectionQuerySchema,
        response: { 200: lastRejectionResponseSchema },
      },
    },
    async (request) => ({ at: await lastRejection(request.query.cellar) }),
  );
};

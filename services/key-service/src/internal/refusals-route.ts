import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { REFUSALS_PATH, refusalsRequestSchema } from '@cellarman/contracts';
import { Type } from '@sinclair/typebox';
import type { RecordRefusals } from '../refusals/record-refusals.ts';

/** 1,000 kinds, each with the name of a rack. */
const BODY_LIMIT = 4 * 1_024 * 1_024;

/** What ingest has refused. */
export const refusalsRoute: FastifyPluginAsyncTypebox<{ refusals: RecordRefusals }> = async (
  app,
  { refusals },
) => {
  app.post(
    REFUSALS_PATH,
    {
      config: { callers: ['ingest'] },
      bodyLimit: BODY_LIMIT,
      logLevel: 'warn',
      schema: {
        tags: ['internal'],
        security: [{ internalToken: [] }],
        summary: 'What was refused since the last report. A report that is sent again counts once.',
        body: refusalsRequestSchema,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await refusals(request.body);
      return reply.code(204).send(null);
    },
  );
};

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  INGEST_HEALTH_PATH,
  ingestHealthSchema,
  SINK_HEALTH_PATH,
  sinkHealthSchema,
} from '@cellarman/contracts';
import { Type } from '@sinclair/typebox';
import type { ReplicaReports } from '../pipeline/replica-reports.ts';

/** A sink lists all partitions of its topic, about 100 bytes each. */
const BODY_LIMIT = 1_024 * 1_024;
const schema = {
  tags: ['internal'],
  security: [{ internalToken: [] }],
  response: { 204: Type.Null() },
};

/** What the replicas report about themselves. */
export const healthReportRoutes: FastifyPluginAsyncTypebox<{
  replicas: Pick<ReplicaReports, 'recordIngest' | 'recordSink'>;
}> = async (app, { replicas }) => {
  app.post(
    INGEST_HEALTH_PATH,
    {
      config: { callers: ['ingest'] },
      bodyLimit: BODY_LIMIT,
      logLevel: 'warn',
      schema: { ...schema, summary: 'Report the health of a replica of ingest.', body: ingestHealthSchema },
    },
    async (request, reply) => {
      await replicas.recordIngest(request.body);
      return reply.code(204).send(null);
    },
  );

  app.post(
    SINK_HEALTH_PATH,
    {
      config: { callers: ['sink'] },
      bodyLimit: BODY_LIMIT,
      logLevel: 'warn',
      schema: { ...schema, summary: 'Report the health of a replica of the sink.', body: sinkHealthSchema },
    },
    async (request, reply) => {
      await replicas.recordSink(request.body);
      return reply.code(204).send(null);
    },
  );
};

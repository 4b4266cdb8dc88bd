import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { describePipeline } from './describe-pipeline.ts';
import { HISTORY_RANGES } from './pipeline-history.ts';
import type { HistoryRange, PipelineHistory } from './pipeline-history.ts';
import { historySchema, pipelineSchema, pipelineStatusSchema } from './pipeline-schema.ts';
import type { PipelineView } from './pipeline-schema.ts';
import type { ReplicaReports } from './replica-reports.ts';

export interface PipelineRoutesOptions {
  replicas: Pick<ReplicaReports, 'latest'>;
  history: Pick<PipelineHistory, 'read'>;
  /** Where the runbooks are published. */
  runbookBaseUrl: string | undefined;
}

const tags = ['pipeline'];
/** Every open tab polls: within this time they share one query. */
const SHARED_MS = 1_000;

/** Whether readings arrive in the store, and how fast. */
export const pipelineRoutes: FastifyPluginAsyncTypebox<PipelineRoutesOptions> = async (app, options) => {
  const describe = sharing(async () =>
    describePipeline(await options.replicas.latest(), options.runbookBaseUrl ?? null),
  );

  app.get(
    '/api/v1/pipeline/status',
    {
      config: { access: 'everybody', errors: ['unavailable'] },
      schema: {
        tags,
        summary: 'Get the delay of storage, and the worst problem.',
        response: { 200: pipelineStatusSchema },
      },
    },
    async () => {
      const { state, behindSeconds, problem, runbook } = await describe();
      return { state, behindSeconds, problem, runbook };
    },
  );

  app.get(
    '/api/v1/pipeline',
    {
      config: { access: 'owner', errors: ['unavailable'] },
      schema: {
        tags,
        summary: 'Get all replicas of ingest and of the sink, and the partitions in between.',
        description:
          'The figures cover the last 30 seconds and are reported every two. A silent replica is listed for an hour.',
        response: { 200: pipelineSchema },
      },
    },
    async () => describe(),
  );

  app.get(
    '/api/v1/pipeline/history',
    {
      config: { access: 'owner', errors: ['unavailable'] },
      schema: {
        tags,
        summary: 'Get rates, delay and lag of the last hour, day or week.',
        querystring: Type.Object(
          {
            range: Type.Union(
              (Object.keys(HISTORY_RANGES) as HistoryRange[]).map((range) => Type.Literal(range)),
              { default: 'hour' },
            ),
          },
          { additionalProperties: false },
        ),
        response: { 200: historySchema },
      },
    },
    async (request) => options.history.read(request.query.range, Date.now()),
  );
};

/** Requests within `SHARED_MS` get the same result. A failure is not kept. */
function sharing(describe: () => Promise<PipelineView>): () => Promise<PipelineView> {
  let shared: { at: number; result: Promise<PipelineView> } | undefined;
  return () => {
    if (shared !== undefined && performance.now() - shared.at < SHARED_MS) return shared.result;
    const begun = { at: performance.now(), result: describe() };
    shared = begun;
    begun.result.catch(() => {
      if (shared === begun) shared = undefined;
    });
    return begun.result;
  };
}

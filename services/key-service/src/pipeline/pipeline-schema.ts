import { partitionHealthSchema, percentilesSchema } from '@cellarman/contracts';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { instantSchema } from '../http/instant.ts';

const stateSchema = Type.Union([Type.Literal('ok'), Type.Literal('warn'), Type.Literal('bad')], {
  description: '`warn`: readings are safe, an operator should look. `bad`: readings are late or rejected.',
});

const behindSecondsSchema = Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
  description:
    'From the receipt of a reading until it can be queried: the slowest of all sinks. null: there was nothing to store, or it is unknown.',
});

const recorded = Type.Union([Type.Number({ minimum: 0 }), Type.Null()]);
export const historyPointSchema = Type.Object({
  at: Type.String({ ...instantSchema, description: 'The start of the step.' }),
  acceptedPerSecond: recorded,
  rejectedPerSecond: recorded,
  failedPerSecond: recorded,
  storedPerSecond: recorded,
  behindSeconds: recorded,
  lag: recorded,
});
export type HistoryPoint = Static<typeof historyPointSchema>;

export const historySchema = Type.Object(
  {
    from: instantSchema,
    to: instantSchema,
    stepSeconds: Type.Integer(),
    points: Type.Array(historyPointSchema, {
      description:
        'Rates are averages over the step, delay and lag its highest values. null: not reported, or there was nothing to store. Steps without a report are absent.',
    }),
  },
  { title: 'PipelineHistory' },
);

/** What the top bar shows. It has no numbers of the installation but this one. */
export const pipelineStatusSchema = Type.Object(
  {
    state: stateSchema,
    behindSeconds: behindSecondsSchema,
    problem: Type.Union([Type.String(), Type.Null()], { description: 'The worst problem, in a few words.' }),
    runbook: Type.Union([Type.String(), Type.Null()], { description: 'Its runbook, as in `problems`.' }),
  },
  { title: 'PipelineStatus' },
);
export type PipelineStatus = Static<typeof pipelineStatusSchema>;

export const problemSchema = Type.Object(
  {
    state: Type.Union([Type.Literal('warn'), Type.Literal('bad')]),
    title: Type.String({ description: 'In a few words, without hosts and numbers.' }),
    text: Type.String(),
    runbook: Type.String({ description: 'The name of a file in docs/runbooks, without its extension.' }),
  },
  { title: 'PipelineProblem' },
);
export type Problem = Static<typeof problemSchema>;

const rate = Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
  description: 'Per second. null: the replica has just started, or it is silent.',
});

const replicaView = {
  process: Type.String(),
  host: Type.String(),
  version: Type.String(),
  state: Type.Union(
    [Type.Literal('ready'), Type.Literal('not ready'), Type.Literal('stopping'), Type.Literal('silent')],
    {
      description:
        '`silent`: it has not reported for more than ten seconds. Its figures are those of its last report.',
    },
  ),
  reportAgeSeconds: Type.Number({ minimum: 0 }),
  uptimeSeconds: Type.Number({ minimum: 0 }),
  notReady: Type.Array(Type.Object({ part: Type.String(), reason: Type.String() })),
};

export const pipelineSchema = Type.Object(
  {
    ...pipelineStatusSchema.properties,
    problems: Type.Array(problemSchema, { description: 'The worst first.' }),
    runbookBaseUrl: Type.Union([Type.String(), Type.Null()], {
      description: 'Where the runbooks are published: RUNBOOK_BASE_URL.',
    }),
    ingest: Type.Object({
      acceptedPerSecond: rate,
      rejectedPerSecond: rate,
      failedPerSecond: rate,
      replicas: Type.Array(
        Type.Object({
          ...replicaView,
          acceptedPerSecond: rate,
          rejectedPerSecond: rate,
          failedPerSecond: rate,
          acknowledgeMs: percentilesSchema,
          waitingReadings: Type.Integer({ minimum: 0 }),
        }),
      ),
    }),
    kafka: Type.Object({
      ageSeconds: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
        description: 'Of the description of the partitions. null: it is unknown.',
      }),
      partitions: Type.Array(
        Type.Object({
          ...partitionHealthSchema.properties,
          sink: Type.Union([Type.String(), Type.Null()], {
            description: 'The host of the sink that consumes it. null: none does.',
          }),
        }),
      ),
    }),
    sink: Type.Object({
      storedPerSecond: rate,
      deadLettersPerSecond: rate,
      replicas: Type.Array(
        Type.Object({
          ...replicaView,
          storedPerSecond: rate,
          storeMs: percentilesSchema,
          behindSeconds: behindSecondsSchema,
          partitions: Type.Array(Type.Integer()),
        }),
      ),
    }),
  },
  { title: 'Pipeline' },
);
export type PipelineView = Static<typeof pipelineSchema>;

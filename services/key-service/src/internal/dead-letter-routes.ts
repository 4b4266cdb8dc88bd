import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  DEAD_LETTERS_PATH,
  deadLettersRequestSchema,
  replayResultsSchema,
  REPLAYS_PATH,
  replaysResponseSchema,
} from '@cellarman/contracts';
import { Type } from '@sinclair/typebox';
import type { DeadLettersRepository } from '../dead-letters/dead-letters-repository.ts';

/** 50 payloads of 32 KiB in Base64, with their keys and headers. */
const BODY_LIMIT = 8 * 1_024 * 1_024;
const config = { callers: ['sink'] } as const;
const options = { config, bodyLimit: BODY_LIMIT, logLevel: 'warn' } as const;
const schema = { tags: ['internal'], security: [{ internalToken: [] }] };

/** What the sink copies from Kafka, and replays. */
export const internalDeadLetterRoutes: FastifyPluginAsyncTypebox<{
  deadLetters: Pick<DeadLettersRepository, 'record' | 'replays' | 'finish'>;
}> = async (app, { deadLetters }) => {
  app.post(
    DEAD_LETTERS_PATH,
    {
      ...options,
      schema: {
        ...schema,
        summary: 'Record dead letters. A known one keeps its state.',
        body: deadLettersRequestSchema,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deadLetters.record(request.body.deadLetters);
      return reply.code(204).send(null);
    },
  );

  app.get(
    REPLAYS_PATH,
    {
      config,
      logLevel: 'warn',
      schema: { ...schema, summary: 'Dead letters to store now.', response: { 200: replaysResponseSchema } },
    },
    async () => ({ replays: await deadLetters.replays() }),
  );

  app.post(
    REPLAYS_PATH,
    {
      ...options,
      schema: {
        ...schema,
        summary: 'Report the results of replays. It is idempotent.',
        body: replayResultsSchema,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deadLetters.finish(request.body.results);
      return reply.code(204).send(null);
    },
  );
};

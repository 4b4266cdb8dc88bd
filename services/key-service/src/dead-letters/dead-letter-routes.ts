import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { nextCursorSchema, pageQuery } from '@cellarman/http-api';
import { Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { actorOf } from '../access/requester.ts';
import {
  countsSchema,
  deadLetterIdSchema,
  deadLetterViewSchema,
  selectionSchema,
  stateSchema,
  wholeDeadLetterSchema,
} from './dead-letter-schema.ts';
import type { Selection } from './dead-letter-schema.ts';
import type { DeadLettersRepository } from './dead-letters-repository.ts';

const tags = ['dead letters'];
const config = { access: 'owner' } as const;
const selected = Type.Object({
  selected: Type.Integer({ description: 'How many matched.' }),
  asOf: Type.Optional(Type.String({ description: 'Of a dry run: for a selection of the same letters.' })),
});

/** Messages in the topic that are not valid readings. */
export const deadLetterRoutes: FastifyPluginAsyncTypebox<{ deadLetters: DeadLettersRepository }> = async (
  app,
  { deadLetters },
) => {
  const decide = async (
    to: 'replaying' | 'discarded',
    request: FastifyRequest & { body: Selection },
  ): Promise<{ selected: number; asOf?: string }> =>
    request.body.dryRun
      ? deadLetters.count(to, request.body)
      : { selected: await deadLetters.decide(to, request.body, actorOf(request)) };

  app.get(
    '/api/v1/dead-letters',
    {
      config,
      schema: {
        tags,
        summary: 'List dead letters, newest first.',
        description: 'They are kept for 30 days, as in Kafka: the newest 20,000.',
        querystring: Type.Object(
          {
            state: Type.Union(stateSchema.anyOf, { default: 'open' }),
            reason: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: 200,
                description: 'Only those whose reason contains it.',
              }),
            ),
            ...pageQuery(),
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({
            deadLetters: Type.Array(deadLetterViewSchema),
            nextCursor: nextCursorSchema,
            counts: countsSchema,
          }),
        },
      },
    },
    async (request) => deadLetters.list(request.query),
  );

  app.get(
    // Otherwise it would match `replay` and `discard`.
    '/api/v1/dead-letters/:id(^\\d{1,18}$)',
    {
      config: { ...config, errors: ['not_found'] },
      schema: {
        tags,
        summary: 'Get a dead letter with its payload and headers.',
        params: Type.Object({ id: deadLetterIdSchema }),
        response: { 200: wholeDeadLetterSchema },
      },
    },
    async (request) => deadLetters.get(request.params.id),
  );

  app.post(
    '/api/v1/dead-letters/replay',
    {
      config,
      schema: {
        tags,
        summary: 'Validate open dead letters again, and store the valid ones.',
        description:
          'The sink validates and inserts them within seconds. Repeating it is safe: a reading is stored once. A payload that is still invalid is open again, with the new reason. Truncated ones are left out.',
        body: selectionSchema,
        response: { 200: selected },
      },
    },
    (request) => decide('replaying', request),
  );

  app.post(
    '/api/v1/dead-letters/discard',
    {
      config,
      schema: {
        tags,
        summary: 'Mark open dead letters as discarded permanently.',
        description: 'They stay in the dead-letter topic for its retention.',
        body: selectionSchema,
        response: { 200: selected },
      },
    },
    (request) => decide('discarded', request),
  );
};

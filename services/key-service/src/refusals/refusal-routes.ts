import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { hoursSchema, refusalBucketSchema, refusalViewSchema, STEPS } from './refusal-schema.ts';
import type { RefusalsRepository } from './refusals-repository.ts';

const tags = ['refusals'];
const params = Type.Object({ cellar: cellarSchema });

/** What was refused lately, without the values and the keys themselves. */
export const refusalRoutes: FastifyPluginAsyncTypebox<{ refusals: RefusalsRepository }> = async (
  app,
  { refusals },
) => {
  app.get(
    '/api/v1/cellars/:cellar/refusals',
    {
      config: { access: 'cellar' },
      schema: {
        tags,
        summary: 'What was refused, by key, code and field, the last first.',
        description:
          'About two seconds behind. Only refusals of keys that exist are here: the others belong to no cellar.',
        params,
        querystring: Type.Object(
          { hours: hoursSchema, limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }) },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({ refusals: Type.Array(refusalViewSchema) }),
        },
      },
    },
    async (request) => ({
      refusals: await refusals.list({ cellar: request.params.cellar, ...request.query }),
    }),
  );

  app.get(
    '/api/v1/cellars/:cellar/refusals/counts',
    {
      config: { access: 'cellar' },
      schema: {
        tags,
        summary: 'How many were refused, by code and time.',
        params,
        querystring: Type.Object(
          {
            hours: hoursSchema,
            step: Type.Integer({
              enum: STEPS,
              default: 60,
              description: `Seconds that a bucket takes: ${STEPS.join(', ')}.`,
            }),
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({ step: Type.Integer(), buckets: Type.Array(refusalBucketSchema) }),
        },
      },
    },
    async (request) => {
      const { hours, step } = request.query;
      return { step, buckets: await refusals.counts({ cellar: request.params.cellar, hours, step }) };
    },
  );
};

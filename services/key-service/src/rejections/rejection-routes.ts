import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { hoursSchema, rejectionBucketSchema, rejectionViewSchema, STEPS } from './rejection-schema.ts';
import type { RejectionsRepository } from './rejections-repository.ts';

const tags = ['rejections'];
const params = Type.Object({ cellar: cellarSchema });

/** What was rejected lately, without the values and the keys themselves. */
export const rejectionRoutes: FastifyPluginAsyncTypebox<{ rejections: RejectionsRepository }> = async (
  app,
  { rejections },
) => {
  app.get(
    '/api/v1/cellars/:cellar/rejections',
    {
      config: { access: 'cellar' },
      schema: {
        tags,
        summary: 'What was rejected, by key, code and field, the last first.',
        description:
          'About two seconds behind. Only rejections of keys that exist are here: the others belong to no cellar.',
        params,
        querystring: Type.Object(
          { hours: hoursSchema, limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }) },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({ rejections: Type.Array(rejectionViewSchema) }),
        },
      },
    },
    async (request) => ({
      rejections: await rejections.list({ cellar: request.params.cellar, ...request.query }),
    }),
  );

  app.get(
    '/api/v1/cellars/:cellar/rejections/counts',
    {
      config: { access: 'cellar' },
      schema: {
        tags,
        summary: 'How many were rejected, by code and time.',
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
          200: Type.Object({ step: Type.Integer(), buckets: Type.Array(rejectionBucketSchema) }),
        },
      },
    },
    async (request) => {
      const { hours, step } = request.query;
      return { step, buckets: await rejections.counts({ cellar: request.params.cellar, hours, step }) };
    },
  );
};

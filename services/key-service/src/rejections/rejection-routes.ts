import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { cellarSchema, readingSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import {
  hoursSchema,
  rejectionBucketSchema,
  rejectionMinuteSchema,
  rejectionViewSchema,
  STEPS,
  unauthenticatedBucketSchema,
} from './rejection-schema.ts';
import type { RejectionsRepository } from './rejections-repository.ts';

const tags = ['rejections'];
const params = Type.Object({ cellar: cellarSchema });
const keySchema = Type.Optional(
  Type.String({ format: 'uuid', description: 'Only rejections of the key with this id.' }),
);
const stepSchema = Type.Integer({
  enum: STEPS,
  default: 60,
  description: `Length of a bucket in seconds: ${STEPS.join(', ')}.`,
});

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
        summary: 'List rejections by key, code and field, the latest first.',
        description:
          'About two seconds behind. Only rejections of keys that exist are here: the others belong to no cellar.',
        params,
        querystring: Type.Object(
          {
            hours: hoursSchema,
            key: keySchema,
            limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
            rack: Type.Optional(
              Type.String({
                ...readingSchema.properties.rack,
                description:
                  'Only minutes in which this rack was the last one rejected. If racks share a key, counts of a minute can include other racks.',
              }),
            ),
          },
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
    '/api/v1/cellars/:cellar/rejections/minutes',
    {
      config: { access: 'cellar' },
      schema: {
        tags,
        summary: 'List recent rejections by minute, key, code and field, the latest first.',
        description: 'Counts, not single requests. About two seconds behind.',
        params,
        querystring: Type.Object(
          {
            minutes: Type.Integer({ minimum: 1, maximum: 60, default: 15 }),
            limit: Type.Integer({ minimum: 1, maximum: 200, default: 100 }),
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({ rejections: Type.Array(rejectionMinuteSchema) }),
        },
      },
    },
    async (request) => ({
      rejections: await rejections.minutes({ cellar: request.params.cellar, ...request.query }),
    }),
  );

  app.get(
    '/api/v1/cellars/:cellar/rejections/counts',
    {
      config: { access: 'cellar' },
      schema: {
        tags,
        summary: 'Count rejections by code over time.',
        params,
        querystring: Type.Object(
          {
            hours: hoursSchema,
            key: keySchema,
            step: stepSchema,
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({ step: Type.Integer(), buckets: Type.Array(rejectionBucketSchema) }),
        },
      },
    },
    async (request) => {
      const { step } = request.query;
      return { step, buckets: await rejections.counts({ cellar: request.params.cellar, ...request.query }) };
    },
  );

  app.get(
    '/api/v1/rejections/unauthenticated',
    {
      config: { access: 'owner' },
      schema: {
        tags,
        summary: 'Count requests to ingest without a known API key over time.',
        description:
          'They belong to no cellar, so only owners see them. Minutes without such a request are missing.',
        querystring: Type.Object({ hours: hoursSchema, step: stepSchema }, { additionalProperties: false }),
        response: {
          200: Type.Object({ step: Type.Integer(), buckets: Type.Array(unauthenticatedBucketSchema) }),
        },
      },
    },
    async (request) => ({
      step: request.query.step,
      buckets: await rejections.unauthenticated(request.query),
    }),
  );
};

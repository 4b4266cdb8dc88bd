import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { abortOnDisconnect } from '@cellarman/http-api';
import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { readerOf } from '../access/authenticate.ts';
import { limitTo } from '../access/reader.ts';
import { security } from '../open-api.ts';
import type { RoutesOptions } from '../routes-options.ts';
import { bucketRange, bucketSchema, toBucketRange } from './buckets.ts';
import { selectCounts } from './select-counts.ts';

/** How many readings came when. */
export const countRoutes: FastifyPluginAsyncTypebox<RoutesOptions> = async (app, { selectAs, clock }) => {
  app.get(
    '/api/v1/query/cellars/:cellar/counts',
    {
      schema: {
        tags: ['cellars'],
        security,
        summary: 'Count received readings over time.',
        description:
          'Counted by the time of receipt; a reading that was sent several times counts once, at its first receipt. ' +
          'Buckets without readings are missing.',
        params: Type.Object({ cellar: cellarSchema }),
        querystring: Type.Object(bucketRange, { additionalProperties: false }),
        response: {
          200: Type.Object({ step: Type.Integer(), buckets: Type.Array(bucketSchema) }),
        },
      },
    },
    async (request, reply) => {
      const { cellar } = request.params;
      const { step } = request.query;
      const limit = limitTo(readerOf(request), cellar);
      const now = clock();
      const range = toBucketRange(request.query, now);
      const buckets = await selectCounts(
        selectAs(readerOf(request)),
        { cellar, limit, step, now, ...range },
        abortOnDisconnect(reply),
      );
      return { step, buckets };
    },
  );
};

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { abortOnDisconnect } from '@cellarman/http-api';
import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { readerOf } from '../access/authenticate.ts';
import { limitTo } from '../access/reader.ts';
import { bucketRange, bucketSchema, toBucketRange } from '../counts/buckets.ts';
import { security } from '../open-api.ts';
import type { RoutesOptions } from '../routes-options.ts';
import { instantSchema } from '../time/instant.ts';
import { MAX_RACKS, selectKeyUsage } from './select-key-usage.ts';

/** What a key is used for, to decide whether it can be revoked. */
export const keyUsageRoutes: FastifyPluginAsyncTypebox<RoutesOptions> = async (app, { selectAs, clock }) => {
  app.get(
    '/api/v1/query/cellars/:cellar/keys/:keyId/usage',
    {
      schema: {
        tags: ['cellars'],
        security,
        summary: 'Count the readings of a key over time and by rack.',
        description:
          'Counted by the time of receipt. A reading that was sent several times counts once, for the key that sent it first. ' +
          'Readings from before migration 5 have no key here. A key that does not exist has no readings.',
        params: Type.Object({
          cellar: cellarSchema,
          keyId: Type.String({ minLength: 1, maxLength: 64, description: 'The id of the API key.' }),
        }),
        querystring: Type.Object(bucketRange, { additionalProperties: false }),
        response: {
          200: Type.Object({
            step: Type.Integer(),
            buckets: Type.Array(bucketSchema),
            racks: Type.Array(
              Type.Object({
                rack: Type.String(),
                readings: Type.Integer({ minimum: 1 }),
                lastReceivedAt: Type.String(instantSchema),
              }),
              { description: `The ${MAX_RACKS} racks with the most readings.` },
            ),
            rackCount: Type.Integer({ minimum: 0, description: 'The number of all racks.' }),
          }),
        },
      },
    },
    async (request, reply) => {
      const { cellar, keyId } = request.params;
      const { step } = request.query;
      const limit = limitTo(readerOf(request), cellar);
      const now = clock();
      const usage = await selectKeyUsage(
        selectAs(readerOf(request)),
        { cellar, limit, keyId, step, now, ...toBucketRange(request.query, now) },
        abortOnDisconnect(reply),
      );
      return { step, ...usage };
    },
  );
};

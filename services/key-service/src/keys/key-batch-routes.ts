import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ApiError } from '@cellarman/http-api';
import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { actorOf, requesterOf } from '../access/requester.ts';
import { keyIdSchema } from './key-schema.ts';
import type { KeysRepository } from './keys-repository.ts';
import { newKeyFields, secretSchema, toNewKey } from './new-key-schema.ts';

/** About 35 ms of one transaction. */
const MOST_KEYS = 1_000;
/** A key with the longest names takes 2 kB. */
const BODY_LIMIT = 2 * 1_024 * 1_024;

const bodySchema = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        {
          ...newKeyFields,
          idempotencyKey: Type.String({
            minLength: 1,
            maxLength: 200,
            description: 'Your name for the creation of this key, see `Idempotency-Key`.',
          }),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: MOST_KEYS },
    ),
  },
  { additionalProperties: false },
);

/** API keys: create up to 1,000 in one transaction. */
export const keyBatchRoutes: FastifyPluginAsyncTypebox<{ keys: KeysRepository }> = async (app, { keys }) => {
  app.post(
    '/api/v1/cellars/:cellar/key-batches',
    {
      config: { access: 'cellar change', errors: ['conflict'] },
      bodyLimit: BODY_LIMIT,
      schema: {
        tags: ['keys'],
        summary: 'Create up to 1,000 keys in one transaction. Only this response contains them.',
        description:
          'All of them are created, or none. Each has an entry in the audit log. If the response is lost, send the request again: keys that it created are not created again. Their secrets are lost; revoke those keys, and create others with other idempotency keys.',
        params: Type.Object({ cellar: cellarSchema }),
        body: bodySchema,
        response: {
          200: Type.Object({
            keys: Type.Array(
              Type.Object({
                id: keyIdSchema,
                secret: Type.Union([secretSchema, Type.Null()], {
                  description: 'null: a request with this `idempotencyKey` created the key before.',
                }),
              }),
              { description: 'In the order of the request.' },
            ),
          }),
        },
      },
    },
    async (request) => {
      const wanted = request.body.keys.map(({ idempotencyKey, ...fields }) => ({
        ...toNewKey(fields),
        requestId: idempotencyKey,
      }));
      if (new Set(wanted.map(({ requestId }) => requestId)).size < wanted.length) {
        throw new ApiError('invalid_request', 'body/keys must have different idempotencyKey');
      }
      const { cellar } = request.params;
      return {
        keys: await keys.createMany(cellar, wanted, requesterOf(request).role, actorOf(request)),
      };
    },
  );
};

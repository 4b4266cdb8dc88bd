import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { keyIdSchema, rackNameSchema } from '../keys/key-schema.ts';
import type { ClaimKey } from './claim-key.ts';

const claimedKeySchema = Type.Object(
  {
    apiKey: Type.String({ description: 'The API key, for readings of this rack.' }),
    keyId: keyIdSchema,
    cellar: cellarSchema,
    rack: rackNameSchema,
  },
  { title: 'ClaimedKey' },
);

/** For devices, which have a claim code and no key yet. */
export const claimRoutes: FastifyPluginAsyncTypebox<{ claimKey: ClaimKey }> = async (app, { claimKey }) => {
  app.post(
    '/api/v1/claims',
    {
      config: {
        errors: ['invalid_claim_code', 'claim_code_used_up', 'rack_mismatch', 'rack_claimed', 'unavailable'],
      },
      schema: {
        tags: ['claims'],
        summary:
          'Exchange a claim code for an API key that is bound to a rack, or to its prefix for a gateway.',
        description:
          'Idempotent: the same claim code, rack and device secret return the same key, and count once. A device therefore stores its secret before the first request, and repeats the request until it has stored the key.',
        body: Type.Object(
          {
            claimCode: Type.String({ minLength: 1, maxLength: 200 }),
            rack: rackNameSchema,
            deviceSecret: Type.String({
              pattern: '^[\\w-]{32,128}$',
              description:
                'Random, made by the device and known to nobody else: 32 to 128 characters of A-Z, a-z, 0-9, _ and -, such as 32 random bytes in base64url.',
            }),
          },
          { additionalProperties: false },
        ),
        response: { 200: claimedKeySchema, 201: claimedKeySchema },
      },
    },
    async (request, reply) => {
      const { isNew, ...key } = await claimKey(request.body, request.ip);
      return reply.code(isNew ? 201 : 200).send(key);
    },
  );
};

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { nextCursorSchema, pageQuery } from '@cellarman/http-api';
import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { actorOf, requesterOf } from '../access/requester.ts';
import { instantSchema } from '../http/instant.ts';
import { claimCodeIdSchema, claimCodeSettings, claimCodeViewSchema } from './claim-code-schema.ts';
import type { ClaimCodesRepository } from './claim-codes-repository.ts';

const tags = ['claims'];
const params = Type.Object({ cellar: cellarSchema });

/** Claim codes: create, list, revoke. */
export const claimCodeRoutes: FastifyPluginAsyncTypebox<{ claimCodes: ClaimCodesRepository }> = async (
  app,
  { claimCodes },
) => {
  app.post(
    '/api/v1/cellars/:cellar/claim-codes',
    {
      config: { access: 'cellar change', errors: ['conflict'] },
      schema: {
        tags,
        summary: 'Create a claim code. Only this response contains it.',
        description: 'Devices exchange it for API keys, each bound to its rack, with `POST /api/v1/claims`.',
        params,
        body: Type.Object(
          {
            name: claimCodeSettings.name,
            rackPrefix: Type.Optional(claimCodeSettings.rackPrefix),
            forGateways: Type.Optional(claimCodeSettings.forGateways),
            maxKeys: claimCodeSettings.maxKeys,
            rateLimit: Type.Optional(claimCodeSettings.rateLimit),
            expiresAt: Type.Unsafe<string>({
              ...instantSchema,
              description: 'In the future by the clock of the database, at most 366 days from now.',
            }),
          },
          { additionalProperties: false },
        ),
        response: {
          201: Type.Object({
            claimCode: claimCodeViewSchema,
            secret: Type.String({
              description: 'The claim code. It is shown only once and stored nowhere.',
            }),
          }),
        },
      },
    },
    async (request, reply) => {
      const { rackPrefix = null, forGateways = false, rateLimit = null, ...rest } = request.body;
      const created = await claimCodes.create(
        request.params.cellar,
        { ...rest, rackPrefix, forGateways, rateLimit },
        requesterOf(request).role,
        actorOf(request),
      );
      return reply.code(201).send(created);
    },
  );

  app.get(
    '/api/v1/cellars/:cellar/claim-codes',
    {
      config: { access: 'cellar' },
      schema: {
        tags,
        summary: 'List the claim codes of a cellar, newest first.',
        params,
        querystring: Type.Object(pageQuery(), { additionalProperties: false }),
        response: {
          200: Type.Object({ claimCodes: Type.Array(claimCodeViewSchema), nextCursor: nextCursorSchema }),
        },
      },
    },
    async (request) => claimCodes.list(request.params.cellar, request.query),
  );

  app.post(
    '/api/v1/cellars/:cellar/claim-codes/:id/revoke',
    {
      config: { access: 'cellar change' },
      schema: {
        tags,
        summary: 'Revoke a claim code permanently, and optionally all keys that were claimed with it.',
        description: 'It can be repeated, for example to revoke the keys as well.',
        params: Type.Object({ cellar: cellarSchema, id: claimCodeIdSchema }),
        body: Type.Object(
          {
            revokeKeys: Type.Boolean({
              default: false,
              description: 'Also revokes its keys, and the keys that replaced them by rotation.',
            }),
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({ claimCode: claimCodeViewSchema, revokedKeys: Type.Integer({ minimum: 0 }) }),
        },
      },
    },
    async (request) => {
      const { cellar, id } = request.params;
      return claimCodes.revoke(cellar, id, request.body, actorOf(request));
    },
  );
};

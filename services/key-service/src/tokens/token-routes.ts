import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { requireConfirmed } from '../access/require-confirmed.ts';
import { actorOf } from '../access/requester.ts';
import { grantedCellarsSchema, readAccess, roleSchema } from '../access/access.ts';
import { nextCursorSchema, pageQuery } from '@cellarman/http-api';
import { optionalInstantSchema } from '../http/instant.ts';
import { tokenIdSchema, tokenNameSchema, tokenViewSchema } from './token-schema.ts';
import type { Tokens } from './tokens.ts';

const tags = ['tokens'];
const config = { access: 'owner in person' } as const;

/** Service tokens: create, list, revoke. */
export const tokenRoutes: FastifyPluginAsyncTypebox<{ tokens: Tokens }> = async (app, { tokens }) => {
  app.post(
    '/api/v1/tokens',
    {
      config: { ...config, errors: ['password_required'] },
      schema: {
        tags,
        summary: 'Create a service token. Only this response contains it.',
        description:
          'Scripts send it as `Authorization: Bearer cmt_…` in place of a cookie. It manages cellars and keys, never people or tokens. `password_required`: confirm the password first.',
        body: Type.Object(
          {
            name: tokenNameSchema,
            role: roleSchema,
            cellars: Type.Optional(grantedCellarsSchema),
            expiresAt: Type.Optional(
              Type.Union(optionalInstantSchema.anyOf, {
                description:
                  'In the future by the clock of the database, and at most TOKEN_MAX_DAYS from now. Left out: in 90 days, or after TOKEN_MAX_DAYS if that is less. null: never, if TOKEN_MAX_DAYS is 0.',
              }),
            ),
          },
          { additionalProperties: false },
        ),
        response: {
          201: Type.Object({
            token: tokenViewSchema,
            secret: Type.String({ description: 'The token. It is shown only once and stored nowhere.' }),
          }),
        },
      },
    },
    async (request, reply) => {
      requireConfirmed(request);
      const { role, cellars, ...rest } = request.body;
      const access = readAccess(role, cellars);
      return reply.code(201).send(await tokens.create({ ...rest, access }, actorOf(request)));
    },
  );

  app.get(
    '/api/v1/tokens',
    {
      config,
      schema: {
        tags,
        summary: 'List service tokens, newest first.',
        querystring: Type.Object(pageQuery(), { additionalProperties: false }),
        response: {
          200: Type.Object({
            tokens: Type.Array(tokenViewSchema),
            nextCursor: nextCursorSchema,
            maxDays: Type.Union([Type.Integer(), Type.Null()], {
              description:
                'How many days from now a new token may expire at the latest. null: it may live forever.',
            }),
          }),
        },
      },
    },
    async (request) => tokens.list(request.query),
  );

  app.post(
    '/api/v1/tokens/:id/revoke',
    {
      config: { ...config, errors: ['not_found'] },
      schema: {
        tags,
        summary: 'Revoke a service token permanently.',
        description: 'Revoking it again changes nothing.',
        params: Type.Object({ id: tokenIdSchema }),
        response: { 200: tokenViewSchema },
      },
    },
    async (request) => tokens.revoke(request.params.id, actorOf(request)),
  );
};

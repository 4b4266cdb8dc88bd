import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { actorOf, requesterOf } from '../access/requester.ts';
import { nextCursorSchema, pageQuery } from '@cellarman/http-api';
import { optionalInstantSchema } from '../http/instant.ts';
import { keyIdSchema, keyNameSchema, keySearchSchema, keyStateSchema, keyViewSchema } from './key-schema.ts';
import {
  expiresAtSchema,
  keyRateLimitSchema,
  newKeyFields,
  secretSchema,
  toNewKey,
} from './new-key-schema.ts';
import type { KeysRepository } from './keys-repository.ts';
import { KEY_SORTS } from './list-keys.ts';

const tags = ['keys'];
const reading = { access: 'cellar' } as const;
const changing = { access: 'cellar change' } as const;
const cellarParams = Type.Object({ cellar: cellarSchema });
const keyParams = Type.Object({ cellar: cellarSchema, id: keyIdSchema });

const idempotencyHeader = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Your name for this request. Sent again with the same one, it creates no second key: 409, and `Location` names the first.',
    }),
  ),
});

/** API keys: create, list, change the expiry, revoke, rotate. */
export const keyRoutes: FastifyPluginAsyncTypebox<{ keys: KeysRepository }> = async (app, { keys }) => {
  app.post(
    '/api/v1/cellars/:cellar/keys',
    {
      config: { ...changing, errors: ['conflict'] },
      schema: {
        tags,
        summary: 'Create a key. Only this response contains it.',
        params: cellarParams,
        headers: idempotencyHeader,
        body: Type.Object(newKeyFields, { additionalProperties: false }),
        response: {
          201: Type.Object({ key: keyViewSchema, secret: secretSchema }),
        },
      },
    },
    async (request, reply) => {
      const { cellar } = request.params;
      const requestId = request.headers['idempotency-key'];
      const created = await keys.create(
        cellar,
        {
          ...toNewKey(request.body),
          ...(requestId === undefined ? {} : { requestId }),
        },
        requesterOf(request).role,
        actorOf(request),
      );
      return reply
        .code(201)
        .header('location', `/api/v1/cellars/${cellar}/keys/${created.key.id}`)
        .send(created);
    },
  );

  app.get(
    '/api/v1/cellars/:cellar/keys',
    {
      config: reading,
      schema: {
        tags,
        summary: 'List the keys of a cellar.',
        params: cellarParams,
        querystring: Type.Object(
          {
            state: Type.Optional(
              Type.Union(keyStateSchema.anyOf, { description: 'Only keys in this state. Left out: all.' }),
            ),
            search: Type.Optional(keySearchSchema),
            sort: Type.Union(
              KEY_SORTS.map((sort) => Type.Literal(sort)),
              { default: 'createdAt' },
            ),
            order: Type.Union([Type.Literal('asc'), Type.Literal('desc')], { default: 'desc' }),
            ...pageQuery(),
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({ keys: Type.Array(keyViewSchema), nextCursor: nextCursorSchema }),
        },
      },
    },
    async (request) => keys.list(request.params.cellar, request.query),
  );

  app.get(
    '/api/v1/cellars/:cellar/keys/:id',
    {
      config: reading,
      schema: {
        tags,
        summary: 'Get a key.',
        params: keyParams,
        response: { 200: keyViewSchema },
      },
    },
    async (request) => keys.get(request.params.cellar, request.params.id),
  );

  app.patch(
    '/api/v1/cellars/:cellar/keys/:id',
    {
      config: { ...changing, errors: ['conflict'] },
      schema: {
        tags,
        summary: 'Change the name, the expiry or the rate limit of a key.',
        description:
          'What is left out stays. An expired key may be given a later expiry; a revoked one stays revoked.',
        params: keyParams,
        body: Type.Object(
          {
            name: Type.Optional(keyNameSchema),
            expiresAt: Type.Optional(expiresAtSchema),
            rateLimit: Type.Optional(keyRateLimitSchema),
          },
          { additionalProperties: false, minProperties: 1 },
        ),
        response: { 200: keyViewSchema },
      },
    },
    async (request) => {
      const { cellar, id } = request.params;
      return keys.change(cellar, id, request.body, requesterOf(request).role, actorOf(request));
    },
  );

  app.post(
    '/api/v1/cellars/:cellar/keys/:id/revoke',
    {
      config: changing,
      schema: {
        tags,
        summary: 'Revoke a key permanently.',
        description: 'Revoking it again changes nothing.',
        params: keyParams,
        response: { 200: keyViewSchema },
      },
    },
    async (request) => keys.revoke(request.params.cellar, request.params.id, actorOf(request)),
  );

  app.post(
    '/api/v1/cellars/:cellar/keys/:id/rotate',
    {
      config: { ...changing, errors: ['conflict'] },
      schema: {
        tags,
        summary: 'Rotate a key: create one with the same settings; the old one expires after an overlap.',
        params: keyParams,
        body: Type.Object(
          {
            overlapSeconds: Type.Integer({
              minimum: 0,
              maximum: 31_536_000,
              description: 'How long the old key stays valid, at most until its own expiry.',
            }),
            expiresAt: Type.Optional(
              Type.Union(optionalInstantSchema.anyOf, {
                description: 'The expiry of the new key. Left out: that of the old one.',
              }),
            ),
          },
          { additionalProperties: false },
        ),
        response: {
          201: Type.Object({ key: keyViewSchema, secret: secretSchema, replaced: keyViewSchema }),
        },
      },
    },
    async (request, reply) => {
      const { cellar, id } = request.params;
      const rotated = await keys.rotate(cellar, id, request.body, actorOf(request));
      return reply
        .code(201)
        .header('location', `/api/v1/cellars/${cellar}/keys/${rotated.key.id}`)
        .send(rotated);
    },
  );
};

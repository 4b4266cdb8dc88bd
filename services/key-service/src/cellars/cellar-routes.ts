import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { lineProtocolKegSchema, retentionDaysSchema } from '@cellarman/contracts';
import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { actorOf, requesterOf } from '../access/requester.ts';
import { nextCursorSchema, pageQuery } from '@cellarman/http-api';
import { optionalRateLimitSchema } from '../http/rate-limit-schema.ts';
import { cellarViewSchema } from './cellar-schema.ts';
import type { CellarsRepository } from './cellars-repository.ts';

export interface CellarRoutesOptions {
  cellars: CellarsRepository;
  defaultRetentionDays: number;
}

const tags = ['cellars'];
const params = Type.Object({ cellar: cellarSchema });

const settings = {
  retentionDays: Type.Optional(retentionDaysSchema),
  rateLimit: Type.Optional(optionalRateLimitSchema),
  lineProtocolKeg: Type.Optional(lineProtocolKegSchema),
};

/** Cellars: create, list, change, archive. */
export const cellarRoutes: FastifyPluginAsyncTypebox<CellarRoutesOptions> = async (app, options) => {
  const { cellars, defaultRetentionDays } = options;

  app.post(
    '/api/v1/cellars',
    {
      config: { access: 'owner', errors: ['conflict'] },
      schema: {
        tags,
        summary: 'Create a cellar.',
        body: Type.Object({ name: cellarSchema, ...settings }, { additionalProperties: false }),
        response: { 201: cellarViewSchema },
      },
    },
    async (request, reply) => {
      const { name, retentionDays = defaultRetentionDays, rateLimit = null, ...others } = request.body;
      const cellar = await cellars.create(name, { retentionDays, rateLimit, ...others }, actorOf(request));
      return reply.code(201).header('location', `/api/v1/cellars/${cellar.name}`).send(cellar);
    },
  );

  app.get(
    '/api/v1/cellars',
    {
      config: { access: 'everybody' },
      schema: {
        tags,
        summary: 'List cellars by name.',
        description: 'Members and viewers see those that were granted.',
        querystring: Type.Object(
          {
            search: Type.Optional(
              Type.String({ maxLength: 64, description: 'A part of the name, case-insensitive.' }),
            ),
            archived: Type.Boolean({
              default: false,
              description: 'Only archived cellars. Without it, only active ones.',
            }),
            ...pageQuery(),
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({ cellars: Type.Array(cellarViewSchema), nextCursor: nextCursorSchema }),
        },
      },
    },
    async (request) => cellars.list({ ...request.query, granted: requesterOf(request).cellars }),
  );

  app.get(
    '/api/v1/cellars/:cellar',
    {
      config: { access: 'cellar' },
      schema: {
        tags,
        summary: 'Get a cellar.',
        params,
        response: { 200: cellarViewSchema },
      },
    },
    async (request) => cellars.get(request.params.cellar),
  );

  app.patch(
    '/api/v1/cellars/:cellar',
    {
      config: { access: 'owner', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        summary: 'Change the settings of a cellar.',
        description:
          'Fields that are left out do not change. A shorter retention hides older readings immediately. A lower rate limit also binds keys whose own is higher. Another `lineProtocolKeg` begins new kegs; stored readings keep theirs.',
        params,
        body: Type.Object(settings, { additionalProperties: false, minProperties: 1 }),
        response: { 200: cellarViewSchema },
      },
    },
    async (request) => cellars.change(request.params.cellar, request.body, actorOf(request)),
  );

  app.post(
    '/api/v1/cellars/:cellar/archive',
    {
      config: { access: 'owner', errors: ['not_found'] },
      schema: {
        tags,
        summary: 'Archive a cellar: its keys are revoked, its name stays reserved.',
        description: 'Cannot be undone. Archiving it again changes nothing.',
        params,
        response: { 200: cellarViewSchema },
      },
    },
    async (request) => cellars.archive(request.params.cellar, actorOf(request)),
  );
};

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { actorOf } from '../../access/requester.ts';
import { ruleBodySchema, ruleIdSchema, ruleViewSchema } from './rule-schema.ts';
import type { RulesRepository } from './rules-repository.ts';

const tags = ['alerts'];
const params = Type.Object({ cellar: cellarSchema });
const ruleParams = Type.Object({ cellar: cellarSchema, id: ruleIdSchema });
/** As other settings of a cellar. */
const config = { access: 'owner', errors: ['not_found', 'conflict'] } as const;

const MAX_MUTE_SECONDS = 30 * 86_400;

/** Alert rules of a cellar: create, list, change, mute, delete. */
export const ruleRoutes: FastifyPluginAsyncTypebox<{ rules: RulesRepository }> = async (app, { rules }) => {
  app.get(
    '/api/v1/cellars/:cellar/alert-rules',
    {
      config: { access: 'cellar' },
      schema: {
        tags,
        summary: 'List the alert rules of a cellar, firing ones first.',
        params,
        response: { 200: Type.Object({ rules: Type.Array(ruleViewSchema) }) },
      },
    },
    async (request) => ({ rules: await rules.list(request.params.cellar) }),
  );

  app.post(
    '/api/v1/cellars/:cellar/alert-rules',
    {
      config,
      schema: {
        tags,
        summary: 'Create an alert rule.',
        description: 'A cellar has at most 100.',
        params,
        body: ruleBodySchema,
        response: { 201: ruleViewSchema },
      },
    },
    async (request, reply) => {
      const rule = await rules.create(request.params.cellar, request.body, actorOf(request));
      return reply.code(201).send(rule);
    },
  );

  app.put(
    '/api/v1/cellars/:cellar/alert-rules/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Replace the settings of an alert rule.',
        description:
          'Open alerts to which the new settings do not apply are resolved by the next evaluation.',
        params: ruleParams,
        body: ruleBodySchema,
        response: { 200: ruleViewSchema },
      },
    },
    async (request) => {
      const { cellar, id } = request.params;
      return rules.replace(cellar, id, request.body, actorOf(request));
    },
  );

  app.post(
    '/api/v1/cellars/:cellar/alert-rules/:id/mute',
    {
      config,
      schema: {
        tags,
        summary: 'Mute an alert rule for some time, or end its mute.',
        description:
          'A muted rule is evaluated, but sends no notification about alerts that fire. What still fires when the mute ends is sent then.',
        params: ruleParams,
        body: Type.Object(
          {
            seconds: Type.Union([Type.Integer({ minimum: 60, maximum: MAX_MUTE_SECONDS }), Type.Null()], {
              description: 'From now on. null: ends the mute.',
            }),
          },
          { additionalProperties: false },
        ),
        response: { 200: ruleViewSchema },
      },
    },
    async (request) => {
      const { cellar, id } = request.params;
      return rules.mute(cellar, id, request.body.seconds, actorOf(request));
    },
  );

  app.delete(
    '/api/v1/cellars/:cellar/alert-rules/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Delete an alert rule.',
        description: 'Its firing alerts are resolved.',
        params: ruleParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { cellar, id } = request.params;
      await rules.delete(cellar, id, actorOf(request));
      return reply.code(204).send(null);
    },
  );
};

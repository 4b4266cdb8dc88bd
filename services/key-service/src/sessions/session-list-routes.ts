import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { actorOf, sessionOf } from '../access/requester.ts';
import { nextCursorSchema, pageQuery } from '@cellarman/http-api';
import { sessionIdSchema, sessionListItemSchema, sessionSchema, toSessionView } from './session-schema.ts';
import type { Sessions } from './sessions.ts';

const tags = ['session'];
const config = { access: 'person' } as const;

/** One's own sessions: who is signed in, where else, and ending that. */
export const sessionListRoutes: FastifyPluginAsyncTypebox<{ sessions: Sessions }> = async (
  app,
  { sessions },
) => {
  app.get(
    '/api/v1/session',
    {
      config,
      schema: {
        tags,
        summary: 'Get the signed-in user and their access.',
        response: { 200: sessionSchema },
      },
    },
    async (request) => toSessionView(sessionOf(request)),
  );

  app.get(
    '/api/v1/sessions',
    {
      config,
      schema: {
        tags,
        summary: 'List your sessions, newest first.',
        querystring: Type.Object(pageQuery(), { additionalProperties: false }),
        response: {
          200: Type.Object({ sessions: Type.Array(sessionListItemSchema), nextCursor: nextCursorSchema }),
        },
      },
    },
    async (request) => sessions.list(sessionOf(request), request.query),
  );

  app.delete(
    '/api/v1/sessions',
    {
      config,
      schema: {
        tags,
        summary: 'End all your other sessions.',
        response: {
          200: Type.Object({ ended: Type.Integer({ description: 'How many have ended.' }) }),
        },
      },
    },
    async (request) => ({ ended: await sessions.endOthers(sessionOf(request), actorOf(request)) }),
  );

  app.delete(
    '/api/v1/sessions/:id',
    {
      config: { ...config, errors: ['not_found'] },
      schema: {
        tags,
        summary: 'End one of your sessions.',
        params: Type.Object({ id: sessionIdSchema }),
        response: {
          204: Type.Null({ description: 'It has ended.' }),
        },
      },
    },
    async (request, reply) => {
      await sessions.end(sessionOf(request), request.params.id, actorOf(request));
      return reply.code(204).send(null);
    },
  );
};

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { actorOf } from '../access/requester.ts';
import { errorAnswers } from '../http/error-answers.ts';
import { nextCursorSchema, pageQuery } from '../http/page.ts';
import { grantedCellarsSchema, roleSchema } from './access.ts';
import { administratorIdSchema, administratorViewSchema } from './administrator-schema.ts';
import type { AdministratorsRepository } from './administrators-repository.ts';

const tags = ['people'];
const config = { access: 'owner in person' } as const;

/** Who has an account, and what they may do. */
export const administratorRoutes: FastifyPluginAsyncTypebox<{
  administrators: AdministratorsRepository;
}> = async (app, { administrators }) => {
  app.get(
    '/api/v1/administrators',
    {
      config,
      schema: {
        tags,
        summary: 'List everybody with an account, by address.',
        querystring: Type.Object(pageQuery, { additionalProperties: false }),
        response: {
          200: Type.Object({
            administrators: Type.Array(administratorViewSchema),
            nextCursor: nextCursorSchema,
          }),
          ...errorAnswers(400, 401, 403, 503),
        },
      },
    },
    async (request) => administrators.list(request.query),
  );

  app.patch(
    '/api/v1/administrators/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Change what somebody may do, or disable them.',
        description:
          'What is left out stays. Whoever is disabled is signed out everywhere at once. The last owner stays one.',
        params: Type.Object({ id: administratorIdSchema }),
        body: Type.Object(
          {
            role: Type.Optional(roleSchema),
            cellars: Type.Optional(grantedCellarsSchema),
            isDisabled: Type.Optional(Type.Boolean()),
          },
          { additionalProperties: false, minProperties: 1 },
        ),
        response: {
          200: administratorViewSchema,
          ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 503),
        },
      },
    },
    async (request) => administrators.change(request.params.id, request.body, actorOf(request)),
  );
};

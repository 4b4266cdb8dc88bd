import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { actorOf, sessionOf } from '../access/requester.ts';
import type { Commit } from '../changes/committer.ts';
import { nextCursorSchema, pageQuery } from '@cellarman/http-api';
import { grantedCellarsSchema, roleSchema } from '../access/access.ts';
import { administratorIdSchema, administratorViewSchema } from './administrator-schema.ts';
import type { AdministratorsRepository } from './administrators-repository.ts';
import { changeAdministrator } from './change-administrator.ts';

const tags = ['people'];
const config = { access: 'owner in person' } as const;

/** Who has an account, and what they may do. */
export const administratorRoutes: FastifyPluginAsyncTypebox<{
  administrators: AdministratorsRepository;
  commit: Commit;
}> = async (app, { administrators, commit }) => {
  app.get(
    '/api/v1/administrators',
    {
      config,
      schema: {
        tags,
        summary: 'List everybody with an account, by address.',
        querystring: Type.Object(pageQuery(), { additionalProperties: false }),
        response: {
          200: Type.Object({
            administrators: Type.Array(administratorViewSchema),
            nextCursor: nextCursorSchema,
          }),
        },
      },
    },
    async (request) => administrators.list(request.query),
  );

  app.patch(
    '/api/v1/administrators/:id',
    {
      config: { ...config, errors: ['password_required', 'not_found', 'conflict'] },
      schema: {
        tags,
        summary: 'Change what somebody may do, or disable them.',
        description:
          'What is left out stays. Whoever is disabled is signed out everywhere at once. The last owner stays one. `password_required`: to make an owner, confirm the password first.',
        params: Type.Object({ id: administratorIdSchema }),
        body: Type.Object(
          {
            role: Type.Optional(roleSchema),
            cellars: Type.Optional(grantedCellarsSchema),
            isDisabled: Type.Optional(Type.Boolean()),
            revokeCreated: Type.Optional(
              Type.Boolean({
                description:
                  'With `isDisabled`: also revokes the service tokens that they have created, and the API keys that they or these tokens have created.',
              }),
            ),
          },
          { additionalProperties: false, minProperties: 1 },
        ),
        response: { 200: administratorViewSchema },
      },
    },
    async (request) =>
      changeAdministrator(commit, request.params.id, request.body, {
        actor: actorOf(request),
        isConfirmed: sessionOf(request).isConfirmed,
      }),
  );
};

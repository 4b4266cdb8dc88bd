import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { actorOf, sessionOf } from '../access/requester.ts';
import type { Commit } from '../changes/committer.ts';
import { nextCursorSchema, pageQuery } from '@cellarman/http-api';
import { grantedCellarsSchema, roleSchema } from '../access/access.ts';
import { userIdSchema, userViewSchema } from './user-schema.ts';
import type { UsersRepository } from './users-repository.ts';
import { changeUser } from './change-user.ts';

const tags = ['users'];
const config = { access: 'owner in person' } as const;

/** Who has an account, and what they may do. */
export const userRoutes: FastifyPluginAsyncTypebox<{
  users: UsersRepository;
  commit: Commit;
}> = async (app, { users, commit }) => {
  app.get(
    '/api/v1/users',
    {
      config,
      schema: {
        tags,
        summary: 'List users by email address.',
        querystring: Type.Object(pageQuery(), { additionalProperties: false }),
        response: {
          200: Type.Object({
            users: Type.Array(userViewSchema),
            nextCursor: nextCursorSchema,
          }),
        },
      },
    },
    async (request) => users.list(request.query),
  );

  app.patch(
    '/api/v1/users/:id',
    {
      config: { ...config, errors: ['password_required', 'not_found', 'conflict'] },
      schema: {
        tags,
        summary: 'Change the access of a user, or disable them.',
        description:
          'Fields that are left out do not change. Disabling a user ends all sessions of the user immediately. The last owner cannot be demoted or disabled. `password_required`: confirm the password before making a user an owner.',
        params: Type.Object({ id: userIdSchema }),
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
        response: { 200: userViewSchema },
      },
    },
    async (request) =>
      changeUser(commit, request.params.id, request.body, {
        actor: actorOf(request),
        isConfirmed: sessionOf(request).isConfirmed,
      }),
  );
};

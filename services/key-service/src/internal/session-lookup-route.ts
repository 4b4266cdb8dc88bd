import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  SESSION_LOOKUP_PATH,
  sessionLookupResponseSchema,
  sessionLookupRequestSchema,
} from '@cellarman/contracts';
import type { Sessions } from '../sessions/sessions.ts';

/** Looks up a session, for services that users call. It counts as a use of the session, unless a header says otherwise. */
export const sessionLookupRoute: FastifyPluginAsyncTypebox<{ sessions: Pick<Sessions, 'find'> }> = async (
  app,
  { sessions },
) => {
  app.post(
    SESSION_LOOKUP_PATH,
    {
      config: { callers: ['query'] },
      logLevel: 'warn',
      schema: {
        tags: ['internal'],
        security: [{ internalToken: [] }],
        summary: 'Look up the user of a session.',
        body: sessionLookupRequestSchema,
        response: { 200: sessionLookupResponseSchema },
      },
    },
    async (request) => {
      const session = await sessions.find(request.body.id, request.headers);
      if (session === undefined) return { session: null };
      const { user, endsAt } = session;
      // Only the cellars count for reading, and the previous version of a caller has no role `viewer`.
      const role = user.role === 'viewer' ? 'member' : user.role;
      return { session: { administrator: { ...user, role }, endsAt: new Date(endsAt).toISOString() } };
    },
  );
};

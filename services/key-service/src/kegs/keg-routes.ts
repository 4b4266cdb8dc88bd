import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { cellarSchema, readingSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { actorOf } from '../access/requester.ts';
import { givenKegSettingsSchema, kegViewSchema, MAX_KEGS, readKegSettings } from './keg-schema.ts';
import type { KegSettingsRepository } from './keg-settings-repository.ts';

const tags = ['kegs'];
const params = Type.Object({ cellar: cellarSchema });
/** Not in the path: a name may have slashes or be `..`, which proxies and browsers normalize. */
const querystring = Type.Object({ keg: readingSchema.properties.keg }, { additionalProperties: false });

/** Keg settings: how the values of a keg are shown. */
export const kegRoutes: FastifyPluginAsyncTypebox<{ kegs: KegSettingsRepository }> = async (
  app,
  { kegs },
) => {
  app.get(
    '/api/v1/cellars/:cellar/kegs',
    {
      config: { access: 'cellar' },
      schema: {
        tags,
        summary: 'List the kegs that have settings, by name.',
        description: `At most ${MAX_KEGS}. The kegs that a cellar has received are in the read API.`,
        params,
        response: { 200: Type.Object({ kegs: Type.Array(kegViewSchema) }) },
      },
    },
    async (request) => ({ kegs: await kegs.list(request.params.cellar) }),
  );

  app.put(
    '/api/v1/cellars/:cellar/kegs',
    {
      config: { access: 'owner', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        summary: 'Set the unit, decimals, description and good range of a keg.',
        description:
          'Replaces all settings of this keg; omitted ones are null. Stored readings are not changed. The keg does not need to have readings yet.',
        params,
        querystring,
        body: givenKegSettingsSchema,
        response: { 200: kegViewSchema },
      },
    },
    async (request) => {
      const { cellar } = request.params;
      return kegs.replace({ cellar, ...request.query }, readKegSettings(request.body), actorOf(request));
    },
  );

  app.delete(
    '/api/v1/cellars/:cellar/kegs',
    {
      config: { access: 'owner', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        summary: 'Remove the settings of a keg.',
        description: 'Its readings stay. Removing settings that do not exist changes nothing.',
        params,
        querystring,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { cellar } = request.params;
      await kegs.remove({ cellar, ...request.query }, actorOf(request));
      return reply.code(204).send(null);
    },
  );
};

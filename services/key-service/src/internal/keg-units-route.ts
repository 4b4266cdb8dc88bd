import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { KEG_UNITS_PATH, kegUnitsResponseSchema, kegUnitsQuerySchema } from '@cellarman/contracts';
import type { KegSettingsRepository } from '../kegs/keg-settings-repository.ts';

/** The units of the kegs of a cellar, for CSV files. */
export const kegUnitsRoute: FastifyPluginAsyncTypebox<{
  kegs: Pick<KegSettingsRepository, 'units'>;
}> = async (app, { kegs }) => {
  app.get(
    KEG_UNITS_PATH,
    {
      config: { callers: ['query'] },
      schema: {
        tags: ['internal'],
        security: [{ internalToken: [] }],
        summary: 'List the units of the kegs of a cellar.',
        querystring: kegUnitsQuerySchema,
        response: { 200: kegUnitsResponseSchema },
      },
    },
    async (request) => ({ kegs: await kegs.units(request.query.cellar) }),
  );
};

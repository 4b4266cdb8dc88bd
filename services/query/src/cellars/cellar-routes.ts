import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { abortOnDisconnect, ApiError } from '@cellarman/http-api';
import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { readerOf } from '../access/authenticate.ts';
import { limitTo } from '../access/reader.ts';
import { security } from '../open-api.ts';
import type { RoutesOptions } from '../routes-options.ts';
import { instantSchema, optionalInstantSchema } from '../time/instant.ts';
import { HOURS, selectCellars, SILENT_MINUTES } from './select-cellars.ts';
import { selectOverview } from './select-overview.ts';

const tags = ['cellars'];
const lastReadingAt = Type.Union(optionalInstantSchema.anyOf, {
  description: 'When the last reading was received. null: there is none.',
});
const readingsLastHour = Type.Integer({ description: 'Readings that were received in the last hour.' });

const cellarActivitySchema = Type.Object({
  cellar: cellarSchema,
  readingsLastHour,
  lastReadingAt,
  racks: Type.Integer({ description: 'Racks that have sent a reading within the retention.' }),
  silentRacks: Type.Integer({
    description: `Racks without a reading in the last ${SILENT_MINUTES} minutes that sent some in the last day.`,
  }),
  hours: Type.Array(Type.Integer(), {
    description: `Readings of the last ${HOURS} hours by the hour of their receipt, the oldest first.`,
  }),
});

/** Whether data arrives: for all cellars, and for one. */
export const cellarRoutes: FastifyPluginAsyncTypebox<RoutesOptions> = async (app, { selectAs, clock }) => {
  app.get(
    '/api/v1/query/cellars',
    {
      config: { errors: ['forbidden'] },
      schema: {
        tags,
        security: [{ session: [] }],
        summary: 'List the activity of all cellars.',
        description:
          'Cellars without readings are missing. For signed-in users only: an API key has one cellar.',
        response: {
          200: Type.Object({
            cellars: Type.Array(cellarActivitySchema),
          }),
        },
      },
    },
    async (request, reply) => {
      const { isPerson, cellars } = readerOf(request);
      if (!isPerson) throw new ApiError('forbidden', 'Sign in to use this route.');
      return {
        cellars: await selectCellars(
          selectAs(readerOf(request)),
          { cellars, now: clock() },
          abortOnDisconnect(reply),
        ),
      };
    },
  );

  app.get(
    '/api/v1/query/cellars/:cellar/overview',
    {
      schema: {
        tags,
        security,
        summary: 'Get the activity of a cellar.',
        params: Type.Object({ cellar: cellarSchema }),
        response: {
          200: Type.Object({
            now: instantSchema,
            readingsLastMinute: Type.Integer({
              description: 'Readings that were received in the last minute.',
            }),
            readingsLastHour,
            lastReadingAt,
            racksLastHour: Type.Integer({
              description: 'Racks whose readings were received in the last hour.',
            }),
          }),
        },
      },
    },
    async (request, reply) => {
      const { cellar } = request.params;
      const limit = limitTo(readerOf(request), cellar);
      const now = clock();
      const overview = await selectOverview(
        selectAs(readerOf(request)),
        { cellar, limit, now },
        abortOnDisconnect(reply),
      );
      return { now: now.toISOString(), ...overview };
    },
  );
};

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { abortOnDisconnect } from '@cellarman/http-api';
import { cellarSchema, readingSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { readerOf } from '../access/authenticate.ts';
import { limitTo } from '../access/reader.ts';
import { security } from '../open-api.ts';
import type { RoutesOptions } from '../routes-options.ts';
import { instantSchema, optionalInstantSchema } from '../time/instant.ts';
import { rangeQuery, toTimeRange } from '../time/range.ts';
import { MAX_KEYS, selectRack, selectRackKeys } from './select-rack.ts';

const tags = ['racks'];
const params = Type.Object({ cellar: cellarSchema });
const { rack } = readingSchema.properties;
const neighbour = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const DAY_MS = 86_400_000;

/** One rack: its status, its neighbours by name, and the API keys that it used. */
export const oneRackRoutes: FastifyPluginAsyncTypebox<RoutesOptions> = async (app, { selectAs, clock }) => {
  app.get(
    '/api/v1/query/cellars/:cellar/rack',
    {
      schema: {
        tags,
        security,
        summary: 'Get a rack.',
        description: 'An unknown rack has no kegs, and its neighbours are those that it would have.',
        params,
        querystring: Type.Object({ rack }, { additionalProperties: false }),
        response: {
          200: Type.Object({
            rack: Type.String(),
            kegs: Type.Integer({ description: 'Number of its kegs.' }),
            lastSeenAt: Type.Union(optionalInstantSchema.anyOf, {
              description: 'When its last reading was received. null: it has none within the retention.',
            }),
            previous: neighbour('The rack before it, by name.'),
            next: neighbour('The rack after it, by name.'),
          }),
        },
      },
    },
    async (request, reply) => {
      const { cellar } = request.params;
      const wanted = request.query.rack;
      const limit = limitTo(readerOf(request), cellar, wanted);
      const select = selectAs(readerOf(request));
      const status = await selectRack(select, { cellar, limit, rack: wanted }, abortOnDisconnect(reply));
      return { rack: wanted, ...status };
    },
  );

  app.get(
    '/api/v1/query/cellars/:cellar/rack/keys',
    {
      schema: {
        tags,
        security,
        summary: 'List the API keys that sent readings of a rack, most recent first.',
        description: `At most ${MAX_KEYS}. The range is that of the timestamps; without \`from\` it is the last day.`,
        params,
        querystring: Type.Object({ rack, ...rangeQuery }, { additionalProperties: false }),
        response: {
          200: Type.Object({
            keys: Type.Array(
              Type.Object({
                keyId: Type.String(),
                readings: Type.Integer(),
                lastReceivedAt: instantSchema,
              }),
            ),
          }),
        },
      },
    },
    async (request, reply) => {
      const { cellar } = request.params;
      const { from = new Date(clock().getTime() - DAY_MS).toISOString(), to, rack: wanted } = request.query;
      const limit = limitTo(readerOf(request), cellar, wanted);
      const range = toTimeRange({ from, ...(to !== undefined && { to }) });
      const select = selectAs(readerOf(request));
      const keys = await selectRackKeys(
        select,
        { cellar, limit, rack: wanted, range },
        abortOnDisconnect(reply),
      );
      return { keys };
    },
  );
};

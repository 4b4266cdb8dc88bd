import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { abortOnDisconnect, nextCursorSchema, pageQuery } from '@cellarman/http-api';
import { cellarSchema, NAME_MAX_CODE_POINTS, readingSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { readerOf } from '../access/authenticate.ts';
import { limitTo } from '../access/reader.ts';
import { security } from '../open-api.ts';
import type { RoutesOptions } from '../routes-options.ts';
import { instantSchema } from '../time/instant.ts';
import { RACK_SORTS, selectRacks } from './select-racks.ts';

/** Devices, and which of them went silent. */
export const rackRoutes: FastifyPluginAsyncTypebox<RoutesOptions> = async (app, { selectAs, clock }) => {
  app.get(
    '/api/v1/query/cellars/:cellar/racks',
    {
      schema: {
        tags: ['racks'],
        security,
        summary: 'List the racks of a cellar.',
        params: Type.Object({ cellar: cellarSchema }),
        querystring: Type.Object(
          {
            search: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: NAME_MAX_CODE_POINTS,
                description: 'A part of the name, case-insensitive.',
              }),
            ),
            prefix: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: NAME_MAX_CODE_POINTS,
                description: 'Only racks whose names start with this.',
              }),
            ),
            keg: Type.Optional({
              ...readingSchema.properties.keg,
              description:
                'Only racks that have sent this keg; last reading and counts are those of the keg.',
            }),
            silentForSeconds: Type.Optional(
              Type.Integer({
                minimum: 0,
                maximum: 315_360_000,
                description: 'Only racks that were last seen longer ago.',
              }),
            ),
            sort: Type.Union(
              RACK_SORTS.map((sort) => Type.Literal(sort)),
              { default: 'rack' },
            ),
            order: Type.Union([Type.Literal('asc'), Type.Literal('desc')], { default: 'asc' }),
            ...pageQuery(),
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({
            racks: Type.Array(
              Type.Object({
                rack: Type.String(),
                lastSeenAt: Type.String({
                  ...instantSchema,
                  description: 'When the last reading of it was received.',
                }),
                readingsLastHour: Type.Integer({
                  description: 'Readings of it that were received in the last hour.',
                }),
                kegs: Type.Integer({ description: 'Number of its kegs.' }),
              }),
            ),
            nextCursor: nextCursorSchema,
          }),
        },
      },
    },
    async (request, reply) => {
      const { cellar } = request.params;
      const limit = limitTo(readerOf(request), cellar);
      return selectRacks(
        selectAs(readerOf(request)),
        { cellar, limit, now: clock(), list: request.query },
        abortOnDisconnect(reply),
      );
    },
  );
};

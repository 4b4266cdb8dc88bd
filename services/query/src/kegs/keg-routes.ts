import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { abortOnDisconnect, nextCursorSchema, pageQuery } from '@cellarman/http-api';
import { cellarSchema, NAME_MAX_CODE_POINTS } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { readerOf } from '../access/authenticate.ts';
import { limitTo } from '../access/reader.ts';
import { security } from '../open-api.ts';
import type { RoutesOptions } from '../routes-options.ts';
import { instantSchema } from '../time/instant.ts';
import { selectKegs } from './select-kegs.ts';

/** The sensors and metrics that a cellar has received, across its racks. */
export const kegRoutes: FastifyPluginAsyncTypebox<RoutesOptions> = async (app, { selectAs }) => {
  app.get(
    '/api/v1/query/cellars/:cellar/kegs',
    {
      schema: {
        tags: ['racks'],
        security,
        summary: 'List the kegs of a cellar, by name.',
        description: 'Kegs with the same name on several racks are one entry.',
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
            ...pageQuery({ maxLimit: 1_000, defaultLimit: 200 }),
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({
            kegs: Type.Array(
              Type.Object({
                keg: Type.String(),
                racks: Type.Integer({ description: 'Number of racks that have it.' }),
                lastSeenAt: Type.String({
                  ...instantSchema,
                  description: 'When the last reading of it was received.',
                }),
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
      return selectKegs(
        selectAs(readerOf(request)),
        { cellar, limit, list: request.query },
        abortOnDisconnect(reply),
      );
    },
  );
};

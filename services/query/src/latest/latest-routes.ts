import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { abortOnDisconnect, nextCursorSchema, pageQuery } from '@cellarman/http-api';
import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { readerOf } from '../access/authenticate.ts';
import { limitTo } from '../access/reader.ts';
import { security } from '../open-api.ts';
import type { RoutesOptions } from '../routes-options.ts';
import { seriesQuery } from '../series-query.ts';
import { instantSchema } from '../time/instant.ts';
import { selectLatest } from './select-latest.ts';

/** The latest value of each series. */
export const latestRoutes: FastifyPluginAsyncTypebox<RoutesOptions> = async (app, { selectAs }) => {
  app.get(
    '/api/v1/query/cellars/:cellar/latest',
    {
      schema: {
        tags: ['racks'],
        security,
        summary: 'Get the latest value of each series.',
        description: 'A series is a keg of a rack. The latest is the one with the greatest timestamp.',
        params: Type.Object({ cellar: cellarSchema }),
        querystring: Type.Object(
          { ...seriesQuery, ...pageQuery({ maxLimit: 10_000, defaultLimit: 200 }) },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({
            series: Type.Array(
              Type.Object({
                rack: Type.String(),
                keg: Type.String(),
                timestamp: instantSchema,
                value: Type.Number(),
                receivedAt: instantSchema,
              }),
            ),
            nextCursor: nextCursorSchema,
          }),
        },
      },
    },
    async (request, reply) => {
      const { cellar } = request.params;
      const limit = limitTo(readerOf(request), cellar, request.query.rack);
      return selectLatest(
        selectAs(readerOf(request)),
        { cellar, limit, list: request.query },
        abortOnDisconnect(reply),
      );
    },
  );
};

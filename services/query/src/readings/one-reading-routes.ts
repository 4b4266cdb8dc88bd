import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { abortOnDisconnect } from '@cellarman/http-api';
import { cellarSchema, readingSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { readerOf } from '../access/authenticate.ts';
import { limitTo } from '../access/reader.ts';
import { security } from '../open-api.ts';
import type { RoutesOptions } from '../routes-options.ts';
import { givenInstantSchema, instantSchema, optionalInstantSchema } from '../time/instant.ts';
import { selectReading } from './select-reading.ts';

const { rack, keg, value } = readingSchema.properties;

const storedReadingSchema = Type.Object({
  rack: Type.String(),
  keg: Type.String(),
  timestamp: Type.String({ ...instantSchema, description: 'With nine fractional digits.' }),
  value: Type.Number(),
  receivedAt: Type.String({ ...instantSchema, description: 'Of its first receipt.' }),
  storedAt: Type.Union(optionalInstantSchema.anyOf, {
    description:
      'When ClickHouse began the insert, by its own clock. null: stored by a version that did not record it.',
  }),
  keyId: Type.Union([Type.String(), Type.Null()], {
    description: 'The API key that sent it. null: stored by a version that did not record it.',
  }),
});

/** One reading, by its identity. */
export const oneReadingRoutes: FastifyPluginAsyncTypebox<RoutesOptions> = async (
  app,
  { selectAs, clock },
) => {
  app.get(
    '/api/v1/query/cellars/:cellar/reading',
    {
      schema: {
        tags: ['readings'],
        security,
        summary: 'Get one reading, with its receipt, insert and API key.',
        description:
          'A cellar has at most one reading with this rack, keg, timestamp and value. Poll it to see when a reading becomes visible.',
        params: Type.Object({ cellar: cellarSchema }),
        querystring: Type.Object(
          { rack, keg, timestamp: givenInstantSchema('The exact timestamp.'), value },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({
            reading: Type.Union([storedReadingSchema, Type.Null()], {
              description: 'null: it is not in ClickHouse, or not visible yet.',
            }),
            checkedAt: Type.String({
              ...instantSchema,
              description: 'When ClickHouse had responded, by the clock of the query service.',
            }),
          }),
        },
      },
    },
    async (request, reply) => {
      const { cellar } = request.params;
      const limit = limitTo(readerOf(request), cellar, request.query.rack);
      const reading = await selectReading(
        selectAs(readerOf(request)),
        { cellar, limit, ...request.query },
        abortOnDisconnect(reply),
      );
      return { reading: reading ?? null, checkedAt: clock().toISOString() };
    },
  );
};

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { abortOnDisconnect } from '@cellarman/http-api';
import { cellarSchema, readingSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { readerOf } from '../access/authenticate.ts';
import { limitTo } from '../access/reader.ts';
import { security } from '../open-api.ts';
import type { RoutesOptions } from '../routes-options.ts';
import { givenInstantSchema, instantSchema, toMilliseconds, toNanoseconds } from '../time/instant.ts';
import { toTimeRange } from '../time/range.ts';
import { selectSeries } from './select-series.ts';
import { stepFor } from './steps.ts';

const DAY_MS = 86_400_000;
const MAX_POINTS = 2_000;

/** One series as a chart wants it. */
export const seriesRoutes: FastifyPluginAsyncTypebox<RoutesOptions> = async (app, { selectAs, clock }) => {
  app.get(
    '/api/v1/query/cellars/:cellar/series',
    {
      schema: {
        tags: ['readings'],
        security,
        summary: 'A series in steps, for a chart.',
        description: 'Steps without readings are missing.',
        params: Type.Object({ cellar: cellarSchema }),
        querystring: Type.Object(
          {
            rack: readingSchema.properties.rack,
            keg: readingSchema.properties.keg,
            from: Type.Optional(
              givenInstantSchema(
                'Readings with this timestamp or a later one. Without it: a day before `to`.',
              ),
            ),
            to: Type.Optional(givenInstantSchema('Readings with an earlier timestamp. Without it: now.')),
            points: Type.Integer({
              minimum: 2,
              maximum: MAX_POINTS,
              default: 500,
              description: 'No more points than this. The step that fits is chosen.',
            }),
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({
            step: Type.Number({ description: 'Seconds that a point stands for.' }),
            points: Type.Array(
              Type.Object({
                at: Type.String({ ...instantSchema, description: 'The begin of the step.' }),
                avg: Type.Number(),
                min: Type.Number(),
                max: Type.Number(),
                last: Type.Number({ description: 'The value with the greatest timestamp.' }),
                count: Type.Integer(),
              }),
            ),
          }),
        },
      },
    },
    async (request, reply) => {
      const { cellar } = request.params;
      const { rack, keg, points } = request.query;
      const limit = limitTo(readerOf(request), cellar, rack);
      const to = request.query.to ?? clock().toISOString();
      const from = request.query.from ?? new Date(toMilliseconds('to', to) - DAY_MS).toISOString();
      const range = toTimeRange({ from, to });
      const stepMs = stepFor({ rangeMs: millisecondsBetween(from, to), points });
      const found = await selectSeries(
        selectAs(readerOf(request)),
        { cellar, limit, rack, keg, range, stepMs, points },
        abortOnDisconnect(reply),
      );
      return { step: stepMs / 1_000, points: found };
    },
  );
};

/** Rounded up: a range is no shorter than its step. */
function millisecondsBetween(from: string, to: string): number {
  return Number((toNanoseconds('to', to) - toNanoseconds('from', from) + 999_999n) / 1_000_000n);
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { abortOnDisconnect, ApiError } from '@cellarman/http-api';
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
/** More lines in one chart cannot be distinguished. */
const MAX_SERIES = 8;

const values = {
  avg: Type.Number(),
  min: Type.Number(),
  max: Type.Number(),
  last: Type.Number({ description: 'The value with the greatest timestamp.' }),
  count: Type.Integer(),
};

/** Series as a chart needs them. */
export const seriesRoutes: FastifyPluginAsyncTypebox<RoutesOptions> = async (app, { selectAs, clock }) => {
  app.get(
    '/api/v1/query/cellars/:cellar/series',
    {
      preValidation: async ({ query }) => {
        for (const name of ['rack', 'keg'] as const) {
          const given: unknown = query[name];
          if (typeof given === 'string') query[name] = [given];
        }
      },
      schema: {
        tags: ['readings'],
        security,
        summary: 'Get series, aggregated in steps, for a chart.',
        description: `A series for each keg of each rack, ${MAX_SERIES} at most; repeat the parameters. Steps without readings are absent.`,
        params: Type.Object({ cellar: cellarSchema }),
        querystring: Type.Object(
          {
            rack: namesOf(readingSchema.properties.rack),
            keg: namesOf(readingSchema.properties.keg),
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
              description: 'Maximum number of points in each series. The smallest step that fits is chosen.',
            }),
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({
            step: Type.Number({ description: 'Seconds that a point covers.' }),
            from: Type.String(instantSchema),
            to: Type.String({ ...instantSchema, description: 'Without `to` in the request: now.' }),
            series: Type.Array(
              Type.Object({
                rack: Type.String(),
                keg: Type.String(),
                points: Type.Array(
                  Type.Object({
                    at: Type.String({ ...instantSchema, description: 'The start of the step.' }),
                    ...values,
                  }),
                ),
                summary: Type.Union([Type.Object(values), Type.Null()], {
                  description: 'The whole range. null: no readings.',
                }),
              }),
              { description: 'In the order of the racks and kegs in the request.' },
            ),
          }),
        },
      },
    },
    async (request, reply) => {
      const { cellar } = request.params;
      const { rack: racks, keg: kegs, points } = request.query;
      if (racks.length * kegs.length > MAX_SERIES) {
        throw new ApiError('invalid_request', `rack and keg: more than ${MAX_SERIES} series`);
      }
      const limits = racks.map((rack) => limitTo(readerOf(request), cellar, rack));
      const [limit = limitTo(readerOf(request), cellar)] = limits;
      const to = request.query.to ?? clock().toISOString();
      const from = request.query.from ?? new Date(toMilliseconds('to', to) - DAY_MS).toISOString();
      const range = toTimeRange({ from, to });
      const stepMs = stepFor({ rangeMs: millisecondsBetween(from, to), points });
      const series = await selectSeries(
        selectAs(readerOf(request)),
        { cellar, limit, racks, kegs, range, stepMs, points },
        abortOnDisconnect(reply),
      );
      return { step: stepMs / 1_000, from, to, series };
    },
  );
};

function namesOf(name: typeof readingSchema.properties.rack) {
  return Type.Array(name, { minItems: 1, maxItems: MAX_SERIES, uniqueItems: true });
}

/** Rounded up: a range is no shorter than its step. */
function millisecondsBetween(from: string, to: string): number {
  return Number((toNanoseconds('to', to) - toNanoseconds('from', from) + 999_999n) / 1_000_000n);
}

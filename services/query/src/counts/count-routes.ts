import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { abortOnDisconnect, ApiError } from '@cellarman/http-api';
import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { readerOf } from '../access/authenticate.ts';
import { limitTo } from '../access/reader.ts';
import { security } from '../open-api.ts';
import type { RoutesOptions } from '../routes-options.ts';
import { givenInstantSchema, instantSchema, toMilliseconds } from '../time/instant.ts';
import { selectCounts } from './select-counts.ts';

const STEPS = [60, 300, 900, 3_600, 10_800, 21_600, 86_400] as const;
/** A week in steps of five minutes has 2,016. */
const MAX_BUCKETS = 2_500;
const HOUR_MS = 3_600_000;

/** How many readings came when. */
export const countRoutes: FastifyPluginAsyncTypebox<RoutesOptions> = async (app, { selectAs, clock }) => {
  app.get(
    '/api/v1/query/cellars/:cellar/counts',
    {
      schema: {
        tags: ['cellars'],
        security,
        summary: 'How many readings were received, by time.',
        description:
          'Counted by the time of receipt; a reading that came several times counts once, where it came first. ' +
          'Buckets without readings are missing.',
        params: Type.Object({ cellar: cellarSchema }),
        querystring: Type.Object(
          {
            from: Type.Optional(
              givenInstantSchema('The bucket with this time is the first. Without it: an hour before `to`.'),
            ),
            to: Type.Optional(givenInstantSchema('Readings before this time. Without it: now.')),
            step: Type.Integer({
              enum: STEPS,
              default: 60,
              description: `Seconds that a bucket takes: ${STEPS.join(', ')}.`,
            }),
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({
            step: Type.Integer(),
            buckets: Type.Array(
              Type.Object({
                at: Type.String({ ...instantSchema, description: 'The begin of the bucket.' }),
                readings: Type.Integer({ minimum: 1 }),
                isComplete: Type.Boolean({ description: 'false: more may still come.' }),
              }),
            ),
          }),
        },
      },
    },
    async (request, reply) => {
      const { cellar } = request.params;
      const { step, from, to } = request.query;
      const limit = limitTo(readerOf(request), cellar);
      const now = clock();
      const range = toRange({ from, to, step, now });
      const buckets = await selectCounts(
        selectAs(readerOf(request)),
        { cellar, limit, step, now, ...range },
        abortOnDisconnect(reply),
      );
      return { step, buckets };
    },
  );
};

function toRange(given: { from: string | undefined; to: string | undefined; step: number; now: Date }) {
  const { from, to, step, now } = given;
  const end = to === undefined ? now.getTime() : toMilliseconds('to', to);
  const start = from === undefined ? end - HOUR_MS : toMilliseconds('from', from);
  if (start >= end) throw new ApiError('invalid_request', 'from must be before to');
  const stepMs = step * 1_000;
  const first = Math.floor(start / stepMs) * stepMs;
  if ((end - first) / stepMs > MAX_BUCKETS) {
    throw new ApiError('invalid_request', `more than ${MAX_BUCKETS} buckets: ask for a larger step`);
  }
  return { from: new Date(first), to: new Date(end) };
}

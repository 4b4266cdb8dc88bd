import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { abortOnDisconnect, ApiError } from '@cellarman/http-api';
import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { readerOf } from '../access/authenticate.ts';
import { limitTo } from '../access/reader.ts';
import { security } from '../open-api.ts';
import type { RoutesOptions } from '../routes-options.ts';
import { givenInstantSchema, instantSchema, optionalInstantSchema, toMilliseconds } from '../time/instant.ts';
import { HOUR_MS, selectHours, summarize } from './select-verification.ts';
import type { Hour } from './select-verification.ts';

const DAY_HOURS = 24;
/** A month. */
const MAX_HOURS = 744;

const count = (description: string) => Type.Integer({ minimum: 0, description });
const figures = {
  messages: count('Readings in the topic, repetitions included.'),
  acknowledged: count('Different readings in the topic, each on all in-sync replicas.'),
  stored: count('Of these, how many every view has.'),
  missing: count('Acknowledged, not expired, and absent from a view.'),
  duplicated: count('Rows of a view beyond one per reading.'),
  altered: count('Readings in ClickHouse that no message of the topic has.'),
  expired: count('Acknowledged, and older than the retention of the cellar when the hour was verified.'),
  deadLetters: count('Messages that are not valid readings and are in the dead-letter topic.'),
};

/** Is every acknowledged reading stored exactly once? */
export const verificationRoutes: FastifyPluginAsyncTypebox<RoutesOptions> = async (
  app,
  { selectAs, clock },
) => {
  app.get(
    '/api/v1/query/cellars/:cellar/verification',
    {
      config: { errors: ['rack_mismatch'] },
      schema: {
        tags: ['cellars'],
        security,
        summary: 'Verify that every acknowledged reading is stored exactly once, by hour.',
        description:
          'The sink compares each completed hour of the topic with the views, and checks later that the rows are ' +
          'unchanged. A reading belongs to the hour in which it was received. Without `from` and `to`: the last 24 ' +
          'completed hours; the one that ended last is left out as long as it is pending.',
        params: Type.Object({ cellar: cellarSchema }),
        querystring: Type.Object(
          {
            from: Type.Optional(givenInstantSchema('The hour with this time is the first.')),
            to: Type.Optional(givenInstantSchema('Hours that begin before this time.')),
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({
            hours: Type.Array(
              Type.Object({
                at: Type.String({ ...instantSchema, description: 'The start of the hour.' }),
                state: Type.Union(
                  (['verified', 'pending', 'unverifiable'] as const).map((state) => Type.Literal(state)),
                  {
                    description:
                      'unverifiable: Kafka had deleted messages of the hour before it was verified.',
                  },
                ),
                checkedAt: optionalInstantSchema,
                ...figures,
                findings: Type.Array(Type.String(), {
                  description:
                    'The first findings as JSON: `kind`, and where known the reading, partition and offset.',
                }),
              }),
            ),
            total: Type.Object(figures, { description: 'Totals of the verified hours.' }),
            checkedAt: optionalInstantSchema,
          }),
        },
      },
    },
    async (request, reply) => {
      const { cellar } = request.params;
      const { rack, prefix } = limitTo(readerOf(request), cellar);
      if (rack !== null || prefix !== null) {
        throw new ApiError(
          'rack_mismatch',
          'The API key is restricted to racks, and an hour is verified as a whole',
        );
      }
      const range = { cellar, ...toHours(request.query, clock()) };
      const hours = await selectHours(selectAs(readerOf(request)), range, abortOnDisconnect(reply));
      return summarize(isLastDay(request.query) ? lastDay(hours) : hours);
    },
  );
};

interface HourRange {
  from?: string;
  to?: string;
}

function isLastDay({ from, to }: HourRange): boolean {
  return from === undefined && to === undefined;
}

/** Of 25 hours, the last one of which is verified some minutes after its end. */
function lastDay(hours: Hour[]): Hour[] {
  return hours.at(-1)?.state === 'pending' ? hours.slice(0, -1) : hours.slice(1);
}

function toHours({ from, to }: HourRange, now: Date) {
  const latest = startOfHour(now.getTime());
  const end = to === undefined ? latest : Math.min(latest, endOfHour(toMilliseconds('to', to)));
  const start =
    from === undefined
      ? end - (to === undefined ? DAY_HOURS + 1 : DAY_HOURS) * HOUR_MS
      : startOfHour(toMilliseconds('from', from));
  if (start >= end) {
    throw new ApiError('invalid_request', 'from must be before to, and before the last completed hour ended');
  }
  if ((end - start) / HOUR_MS > MAX_HOURS) {
    throw new ApiError('invalid_request', `more than ${MAX_HOURS} hours: shorten the range`);
  }
  return { from: new Date(start), to: new Date(end) };
}

function startOfHour(ms: number): number {
  return Math.floor(ms / HOUR_MS) * HOUR_MS;
}

function endOfHour(ms: number): number {
  return Math.ceil(ms / HOUR_MS) * HOUR_MS;
}

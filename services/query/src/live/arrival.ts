import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { instantSchema } from '../time/instant.ts';

/** Events hold at most this many readings, so that a fast cellar neither floods a client nor its screen. */
export const MAX_READINGS_PER_EVENT = 100;

const arrivalSchema = Type.Object({
  rack: Type.String(),
  keg: Type.String(),
  timestamp: Type.String({ ...instantSchema, description: 'With nine fractional digits.' }),
  value: Type.Number(),
  receivedAt: instantSchema,
  storedAt: Type.String({
    ...instantSchema,
    description: 'When ClickHouse began the insert, by its own clock. It is visible a moment later.',
  }),
  visibleAfterMs: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description:
      'Milliseconds from the receipt until a query found the reading in ClickHouse. Too high by up to the poll interval. null: it was there before.',
  }),
});

export const arrivalsEventSchema = Type.Object(
  {
    readings: Type.Array(arrivalSchema, {
      maxItems: MAX_READINGS_PER_EVENT,
      description: 'The newest first.',
    }),
    more: Type.Integer({
      minimum: 0,
      description: 'Further readings that match and are not in this event.',
    }),
    isComplete: Type.Boolean({
      description:
        'false: more readings arrived in the cellar than are compared with the filter, and some that match may be missing.',
    }),
    hasRejections: Type.Optional(
      Type.Literal(true, {
        description:
          'Readings of the cellar were rejected since the event before. key-service lists them. Only for users.',
      }),
    ),
  },
  { title: 'Arrivals', description: 'The JSON in `data` of an event `readings`.' },
);

/** An event of the stream, whose fields are lines of text. */
export const streamEventSchema = Type.Object({
  event: Type.Literal('readings'),
  id: Type.String({ ...instantSchema, description: 'For `Last-Event-ID`.' }),
  data: Type.String({ contentMediaType: 'application/json', contentSchema: arrivalsEventSchema }),
});

export type Arrival = Static<typeof arrivalSchema>;
export type ArrivalsEvent = Static<typeof arrivalsEventSchema>;
/** A row of ClickHouse. */
export type StoredArrival = Omit<Arrival, 'visibleAfterMs'>;

export interface ArrivalFilter {
  rack?: string;
  rackPrefix?: string;
  keg?: string;
}

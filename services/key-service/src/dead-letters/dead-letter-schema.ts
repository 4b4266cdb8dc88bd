import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { instantSchema, optionalInstantSchema } from '../http/instant.ts';

export const STATES = ['open', 'replaying', 'replayed', 'discarded'] as const;
export const stateSchema = Type.Union(
  STATES.map((state) => Type.Literal(state)),
  {
    description:
      '`replaying`: the sink stores it next. `replayed`: it is stored. A payload that is still invalid is `open` again, with the new reason.',
  },
);
export type DeadLetterState = Static<typeof stateSchema>;

export const deadLetterIdSchema = Type.String({ pattern: '^[0-9]{1,18}$' });

const view = {
  id: deadLetterIdSchema,
  at: Type.String({ ...instantSchema, description: 'When it became a dead letter.' }),
  reason: Type.String({ description: 'Why it is not a valid reading, according to the last attempt.' }),
  origin: Type.Object({ topic: Type.String(), partition: Type.Integer(), offset: Type.String() }),
  size: Type.Integer({ description: 'Bytes of the payload.' }),
  isTruncated: Type.Boolean({
    description:
      'Only the beginning of the payload is kept: it is longer than any reading. It cannot be replayed.',
  }),
  state: stateSchema,
  changedAt: optionalInstantSchema,
};

export const deadLetterViewSchema = Type.Object(
  {
    ...view,
    source: Type.Union([Type.Object({ cellar: Type.String(), rack: Type.String() }), Type.Null()], {
      description: 'What the payload or the message key claims. null: neither is readable.',
    }),
    preview: Type.String({ description: 'The first characters of the payload.' }),
  },
  { title: 'DeadLetter' },
);
export type DeadLetterView = Static<typeof deadLetterViewSchema>;

export const wholeDeadLetterSchema = Type.Object(
  {
    ...view,
    key: Type.String({ description: 'In Base64.' }),
    value: Type.String({ description: 'In Base64.' }),
    headers: Type.Record(Type.String(), Type.String()),
  },
  { title: 'WholeDeadLetter' },
);
export type WholeDeadLetter = Static<typeof wholeDeadLetterSchema>;

export const countsSchema = Type.Object(
  Object.fromEntries(STATES.map((state) => [state, Type.Integer()])) as Record<
    DeadLetterState,
    ReturnType<typeof Type.Integer>
  >,
  { description: 'All dead letters, by state.' },
);

/** Which of the open ones. */
export const selectionSchema = Type.Object(
  {
    ids: Type.Optional(Type.Array(deadLetterIdSchema, { minItems: 1, maxItems: 1_000 })),
    reason: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Only those whose reason contains it.' }),
    ),
    dryRun: Type.Boolean({ default: false, description: 'true: only count them.' }),
    asOf: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,20}:[0-9]{1,20}:[0-9,]{0,2000}$',
        description: 'From the response to a dry run: selects no letter that arrived or changed after it.',
      }),
    ),
  },
  { additionalProperties: false, description: 'Without `ids` and `reason`: all that are open.' },
);
export type Selection = Static<typeof selectionSchema>;

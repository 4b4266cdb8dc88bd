import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { emailSchema } from '../../access/account.ts';
import { instantSchema } from '../../http/instant.ts';
import { alertNameSchema } from '../rules/rule-schema.ts';

const DESTINATION_KINDS = ['webhook', 'email'] as const;

const urlSchema = Type.String({
  maxLength: 2_000,
  description: 'Begins with `https://`; `http://` only within WEBHOOK_ALLOWED_NETWORKS. Never shown again.',
});
const recipientsSchema = Type.Array(emailSchema, { minItems: 1, maxItems: 10, uniqueItems: true });

const webhookSchema = Type.Object(
  { kind: Type.Literal('webhook'), name: alertNameSchema, url: urlSchema },
  { additionalProperties: false, title: 'Webhook' },
);

const emailDestinationSchema = Type.Object(
  { kind: Type.Literal('email'), name: alertNameSchema, recipients: recipientsSchema },
  { additionalProperties: false, title: 'Email' },
);

export const newDestinationSchema = Type.Union([webhookSchema, emailDestinationSchema]);
export type NewDestination = Static<typeof newDestinationSchema>;

/** What is left out stays. The kind and the signing secret of a webhook stay in any case. */
export const destinationChangeSchema = Type.Partial(
  Type.Object({ name: alertNameSchema, url: urlSchema, recipients: recipientsSchema }),
  { additionalProperties: false, minProperties: 1 },
);
export type DestinationChange = Static<typeof destinationChangeSchema>;

/** How a notification fares. */
export const deliverySchema = Type.Object({
  state: Type.Union([Type.Literal('waiting'), Type.Literal('delivered'), Type.Literal('failed')], {
    description: '`waiting`: not sent yet, or an attempt failed and another one follows.',
  }),
  at: instantSchema,
  attempts: Type.Integer(),
  error: Type.Union([Type.String(), Type.Null()], { description: 'Why the last attempt failed.' }),
});
export type Delivery = Static<typeof deliverySchema>;

export const destinationViewSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    kind: Type.Union(DESTINATION_KINDS.map((kind) => Type.Literal(kind))),
    name: alertNameSchema,
    target: Type.String({
      description: 'The recipients, or the origin of the URL: with many providers the rest is a secret.',
      examples: ['https://hooks.example.com'],
    }),
    rules: Type.Integer({ description: 'Rules that use it.' }),
    waiting: Type.Integer({ description: 'Notifications that are not delivered yet.' }),
    latest: Type.Union([deliverySchema, Type.Null()], { description: 'The latest notification.' }),
    createdAt: instantSchema,
    createdBy: Type.Union([Type.String(), Type.Null()]),
  },
  { title: 'AlertDestination' },
);
export type DestinationView = Static<typeof destinationViewSchema>;

import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { instantSchema, optionalInstantSchema } from '../../http/instant.ts';
import { conditionSchema } from './condition-schema.ts';

/** Names of rules and destinations: no control characters. */
export const alertNameSchema = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\u0000-\\u001F\\u007F]+$',
});
export const ruleIdSchema = Type.String({ format: 'uuid' });

export const ruleBodySchema = Type.Object(
  {
    name: alertNameSchema,
    condition: conditionSchema,
    destinations: Type.Array(Type.String({ format: 'uuid' }), {
      maxItems: 10,
      uniqueItems: true,
      description:
        'Destinations of the cellar that get its notifications. Empty: the dashboard alone shows it.',
    }),
    isEnabled: Type.Boolean({ default: true, description: 'false: the rule is not evaluated.' }),
  },
  { additionalProperties: false },
);
export type RuleBody = Static<typeof ruleBodySchema>;

export const ruleViewSchema = Type.Object(
  {
    id: ruleIdSchema,
    name: alertNameSchema,
    condition: conditionSchema,
    destinations: Type.Array(Type.String({ format: 'uuid' })),
    isEnabled: Type.Boolean(),
    mutedUntil: Type.Union(optionalInstantSchema.anyOf, {
      description: 'Until then no notification about firing alerts is sent.',
    }),
    firing: Type.Integer({ description: 'Alerts that are firing.' }),
    pending: Type.Integer({ description: 'Alerts that fire if the condition continues to hold.' }),
    isTruncated: Type.Boolean({ description: 'true: more racks match than a rule can have alerts for.' }),
    evaluatedAt: Type.Union(optionalInstantSchema.anyOf, { description: 'null: not yet.' }),
    problem: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the last evaluation failed. States do not change meanwhile.',
    }),
    createdAt: instantSchema,
    createdBy: Type.Union([Type.String(), Type.Null()]),
  },
  { title: 'AlertRule' },
);
export type RuleView = Static<typeof ruleViewSchema>;

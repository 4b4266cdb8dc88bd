import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { instantSchema, optionalInstantSchema } from '../../http/instant.ts';
import { conditionSchema } from '../rules/condition-schema.ts';

export const alertViewSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The same from pending to resolved.' }),
    rule: Type.Object({ id: Type.String(), name: Type.String(), condition: conditionSchema }),
    subject: Type.Object({
      kind: Type.Union([Type.Literal('rack'), Type.Literal('key'), Type.Literal('cellar')]),
      id: Type.String({ description: 'The rack, or the id of the key. Empty for the cellar.' }),
      name: Type.String(),
    }),
    state: Type.Union([Type.Literal('pending'), Type.Literal('firing'), Type.Literal('resolved')]),
    since: Type.String({ ...instantSchema, description: 'When the condition began to hold.' }),
    firedAt: optionalInstantSchema,
    resolvedAt: optionalInstantSchema,
    resolvedBecause: Type.Union([Type.String(), Type.Null()], {
      examples: ['recovered', 'forgotten', 'rule_deleted', 'rule_disabled', 'cellar_archived'],
    }),
    details: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What was observed last: `value`, `percent`, `expiresAt`; differs by kind of rule.',
    }),
  },
  { title: 'Alert' },
);
export type AlertView = Static<typeof alertViewSchema>;

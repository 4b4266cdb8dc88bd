import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { instantSchema, optionalInstantSchema } from '../http/instant.ts';
import { optionalRateLimitSchema } from '../http/rate-limit-schema.ts';
import { keyNameSchema, rackNameSchema } from '../keys/key-schema.ts';

export const claimCodeIdSchema = Type.String({ format: 'uuid' });

const CLAIM_CODE_STATES = ['active', 'used_up', 'expired', 'revoked'] as const;

export const claimCodeSettings = {
  name: Type.String({
    ...keyNameSchema,
    description: 'A display name, also in the audit log. It need not be unique.',
    examples: ['greenhouse sensors'],
  }),
  rackPrefix: Type.Union([rackNameSchema, Type.Null()], {
    description: 'The prefix of the racks that may claim a key. null: all racks.',
  }),
  forGateways: Type.Boolean({
    description:
      'Gateways send for many racks: each key is for all racks whose names begin with the claimed one. false: for one rack.',
  }),
  maxKeys: Type.Integer({ minimum: 1, maximum: 10_000, description: 'How many keys can be claimed.' }),
  rateLimit: Type.Union(optionalRateLimitSchema.anyOf, {
    description: 'Of each key, with the same limits as for other keys. null: that of the cellar.',
  }),
};

/** A claim code, as the management API shows it: everything but the code. */
export const claimCodeViewSchema = Type.Object(
  {
    id: claimCodeIdSchema,
    cellar: cellarSchema,
    displayPrefix: Type.String({
      description: 'The first characters of the claim code.',
      examples: ['cmc_4fGh'],
    }),
    state: Type.Union(
      CLAIM_CODE_STATES.map((state) => Type.Literal(state)),
      { description: 'By the clock of the database. `revoked` is final.' },
    ),
    ...claimCodeSettings,
    claimedKeys: Type.Integer({ minimum: 0, description: 'How many keys were claimed, active or not.' }),
    activeKeys: Type.Integer({
      minimum: 0,
      description: 'How many of these keys, and of keys that replaced them, are active.',
    }),
    createdAt: instantSchema,
    createdBy: Type.Union([Type.String(), Type.Null()]),
    expiresAt: instantSchema,
    revokedAt: optionalInstantSchema,
    revokedBy: Type.Union([Type.String(), Type.Null()]),
  },
  { title: 'ClaimCode' },
);

export type ClaimCodeView = Static<typeof claimCodeViewSchema>;

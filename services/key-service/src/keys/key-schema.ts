import { scopeSchema } from '@cellarman/contracts';
import { cellarSchema, NAME_MAX_CODE_POINTS } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { instantSchema, optionalInstantSchema } from '../http/instant.ts';
import { optionalRateLimitSchema } from '../http/rate-limit-schema.ts';

export const KEY_STATES = ['active', 'expired', 'revoked'] as const;
export type KeyState = (typeof KEY_STATES)[number];
export const keyStateSchema = Type.Union(KEY_STATES.map((state) => Type.Literal(state)));

/** As a reading may name its rack: no control characters. */
const NAME_PATTERN = '^[^\\u0000-\\u001F\\u007F]+$';

export const keyIdSchema = Type.String({
  format: 'uuid',
  description: 'Stored as `key_id` with each reading.',
});

export const keyNameSchema = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: NAME_PATTERN,
  description: 'A display name. It need not be unique.',
  examples: ['boiler house'],
});

export const keySearchSchema = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: NAME_PATTERN,
  description:
    'Only keys with this in their name, in upper or lower case, or whose `displayPrefix` begins with it. Never send a whole key here.',
});

export const rackNameSchema = Type.String({
  minLength: 1,
  maxLength: NAME_MAX_CODE_POINTS,
  pattern: NAME_PATTERN,
});

export const rackRestriction = {
  rack: Type.Union([rackNameSchema, Type.Null()], {
    description: 'The only rack that the key may send for.',
  }),
  rackPrefix: Type.Union([rackNameSchema, Type.Null()], {
    description: 'The prefix of the names of its racks. Not together with `rack`.',
  }),
};

export const scopesSchema = Type.Array(scopeSchema, {
  minItems: 1,
  uniqueItems: true,
  description: '`ingest` sends readings, `read` reads them back.',
});

/** An API key, as the management API shows it: everything but the key. */
export const keyViewSchema = Type.Object(
  {
    id: keyIdSchema,
    cellar: cellarSchema,
    name: keyNameSchema,
    displayPrefix: Type.String({ description: 'The first characters of the key.', examples: ['cm_4fGh2'] }),
    state: Type.Union(keyStateSchema.anyOf, {
      description: 'By the clock of the database. `revoked` is final.',
    }),
    ...rackRestriction,
    scopes: scopesSchema,
    rateLimit: Type.Union(optionalRateLimitSchema.anyOf, {
      description:
        'As it was set. The lower of this and the rate limit of the cellar holds. null: that of the cellar.',
    }),
    createdAt: instantSchema,
    createdBy: Type.Union([Type.String(), Type.Null()]),
    expiresAt: optionalInstantSchema,
    revokedAt: optionalInstantSchema,
    revokedBy: Type.Union([Type.String(), Type.Null()]),
    lastUsedAt: Type.Union(optionalInstantSchema.anyOf, {
      description:
        'The first use is shown within seconds. Later ones are reported every 15 minutes (`LAST_USED_INTERVAL_MS` of ingest), so a key in use may show a time up to 15 minutes ago.',
    }),
    claimCode: Type.Union(
      [Type.Object({ id: Type.String({ format: 'uuid' }), name: Type.String() }), Type.Null()],
      {
        description: 'The claim code that a device claimed the key with, or the key that this one replaces.',
      },
    ),
    rotatedFrom: Type.Union([keyIdSchema, Type.Null()], {
      description: 'The key that this one replaces.',
    }),
    rotatedTo: Type.Union([keyIdSchema, Type.Null()], {
      description: 'The latest key that replaces this one.',
    }),
  },
  { title: 'Key' },
);

export type KeyView = Static<typeof keyViewSchema>;

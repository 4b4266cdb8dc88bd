import { Type } from '@sinclair/typebox';

/** Which entries somebody looks for. */
export interface AuditFilter {
  /** Undefined: of all cellars, and of what belongs to none. */
  cellar?: string;
  action?: string;
  /** A part of who did it. */
  actor?: string;
}

export const auditFilterQuery = {
  action: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^[a-z_.]+$',
      description: 'Only what was done under this name.',
      examples: ['key.revoked'],
    }),
  ),
  actor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 254,
      // PostgreSQL takes no U+0000.
      pattern: '^[^\\u0000]+$',
      description: 'Only by those whose address or name has this in it, in upper or lower case.',
    }),
  ),
};

/** As SQL, with the first three values of a statement. */
export const MATCHES_FILTER = `($1::text IS NULL OR cellar = $1)
  AND ($2::text IS NULL OR action = $2)
  AND ($3::text IS NULL OR position(lower($3) IN lower(actor)) > 0)`;

export function valuesOf({ cellar, action, actor }: AuditFilter): (string | null)[] {
  return [cellar ?? null, action ?? null, actor ?? null];
}

import { ApiError } from '@cellarman/http-api';
import { Type } from '@sinclair/typebox';
import { instantSchema } from '../http/instant.ts';

/** Selects entries of the audit log. */
export interface AuditFilter {
  /** Undefined: of all cellars, and of what belongs to none. */
  cellar?: string;
  action?: string;
  /** A part of who did it. */
  actor?: string;
  /** From this time on, until before that one. */
  from?: string;
  to?: string;
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
      description: 'Only by users and tokens whose email address or name contains this, case-insensitive.',
    }),
  ),
  from: Type.Optional(Type.String({ ...instantSchema, description: 'From this time on.' })),
  to: Type.Optional(Type.String({ ...instantSchema, description: 'Until before this time.' })),
};

/** As SQL, with the first five values of a statement. */
export const MATCHES_FILTER = `($1::text IS NULL OR cellar BETWEEN $1 AND $1)
  AND ($2::text IS NULL OR action = $2)
  AND ($3::text IS NULL OR position(lower($3) IN lower(actor)) > 0)
  AND ($4::timestamptz IS NULL OR at >= $4) AND ($5::timestamptz IS NULL OR at < $5)`;

/**
 * Newest first, as SQL, in the order of the index for the filter. With `cellar =` and `id DESC` PostgreSQL may follow the
 * primary key, past all entries of other cellars.
 */
export const newestFirst = ({ cellar }: AuditFilter): string =>
  cellar === undefined ? 'id DESC' : 'cellar DESC, id DESC';

/** @throws {ApiError} `invalid_request` for a time that does not exist */
export function valuesOf({ cellar, action, actor, from, to }: AuditFilter): (string | Date | null)[] {
  return [cellar ?? null, action ?? null, actor ?? null, readTime('from', from), readTime('to', to)];
}

function readTime(name: string, text: string | undefined): Date | null {
  if (text === undefined) return null;
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new ApiError('invalid_request', `${name} must be a valid time`);
  return at;
}

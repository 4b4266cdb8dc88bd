import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { ApiError } from '@cellarman/http-api';
import type { Queryable } from '../postgres/database.ts';

export const roleSchema = Type.Union(
  [Type.Literal('owner'), Type.Literal('member'), Type.Literal('viewer')],
  {
    description:
      '`owner`: everything. `member`: the granted cellars and their keys. `viewer`: reads the granted cellars, changes nothing.',
  },
);
export type Role = Static<typeof roleSchema>;

/** The permissions of a user or a service token. */
export interface Access {
  role: Role;
  /** null: all of them, as an owner has. */
  cellars: string[] | null;
}

export const accessSchema = {
  role: roleSchema,
  cellars: Type.Union([Type.Array(cellarSchema), Type.Null()], {
    description: 'The granted cellars of a member or viewer; null: all of them.',
  }),
};

/** As requests name them. */
export const grantedCellarsSchema = Type.Array(cellarSchema, {
  maxItems: 1_000,
  uniqueItems: true,
  description: 'For a member or viewer only.',
});

/** @throws {ApiError} `invalid_request` */
export function readAccess(role: Role, cellars: string[] | undefined): Access {
  if (role !== 'owner') return { role, cellars: (cellars ?? []).toSorted() };
  if (cellars !== undefined)
    throw new ApiError('invalid_request', 'body/cellars: an owner has access to all cellars');
  return { role, cellars: null };
}

/** @throws {ApiError} `invalid_request` naming a cellar that is none */
export async function requireCellars(database: Queryable, { cellars }: Access): Promise<void> {
  const [unknown] = await database.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS asked (name)
     WHERE NOT EXISTS (SELECT FROM cellars WHERE cellars.name = asked.name)
     LIMIT 1`,
    [cellars ?? []],
  );
  if (unknown !== undefined)
    throw new ApiError('invalid_request', `body/cellars: cellar ${unknown.name} not found`);
}

/**
 * Returns the columns `role` and `cellars` of a table that stores access, as SQL. Only an owner has all cellars.
 *
 * @param granted SQL of the cellars of a member
 */
export function selectAccess(table: string, granted = `${table}.cellars`): string {
  return `
    CASE WHEN ${table}.role = 'member' AND ${table}.views IS NOT NULL THEN 'viewer' ELSE ${table}.role END AS role,
    CASE WHEN ${table}.role <> 'owner' THEN coalesce(${table}.views, ${granted}) END AS cellars`;
}

export const ACCESS_OF_USER = selectAccess(
  'administrators',
  'ARRAY(SELECT cellar FROM grants WHERE administrator_id = administrators.id ORDER BY cellar)',
);

/** A viewer is stored as a member without cellars, see migration 0020. */
export function storedAccess({ role, cellars }: Access) {
  return {
    role: role === 'viewer' ? 'member' : role,
    granted: role === 'member' ? (cellars ?? []) : [],
    views: role === 'viewer' ? (cellars ?? []) : null,
  };
}

/** Replaces the cellars that are granted to a member. */
export async function replaceGrants(transaction: Queryable, id: string, access: Access): Promise<void> {
  const { granted } = storedAccess(access);
  await transaction.query(`DELETE FROM grants WHERE administrator_id = $1 AND cellar <> ALL ($2)`, [
    id,
    granted,
  ]);
  await transaction.query(
    `INSERT INTO grants (administrator_id, cellar) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING`,
    [id, granted],
  );
}

import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';
import { ApiError } from '@cellarman/http-api';
import type { Queryable } from '../postgres/database.ts';

export const roleSchema = Type.Union([Type.Literal('owner'), Type.Literal('member')], {
  description: '`owner`: everything. `member`: the granted cellars and their keys.',
});
export type Role = Static<typeof roleSchema>;

/** What somebody may do. */
export interface Access {
  role: Role;
  /** null: all of them, as an owner has. */
  cellars: string[] | null;
}

export const accessSchema = {
  role: roleSchema,
  cellars: Type.Union([Type.Array(cellarSchema), Type.Null()], {
    description: 'The granted cellars of a member; null: all of them.',
  }),
};

/** As requests name them. */
export const grantedCellarsSchema = Type.Array(cellarSchema, {
  maxItems: 1_000,
  uniqueItems: true,
  description: 'For a member only.',
});

/** @throws {ApiError} `invalid_request` */
export function readAccess(role: Role, cellars: string[] | undefined): Access {
  if (role === 'member') return { role, cellars: (cellars ?? []).toSorted() };
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

/** Of rows of the table administrators, as SQL. */
export const CELLARS_OF_USER = `
  CASE administrators.role WHEN 'member' THEN
    ARRAY(SELECT cellar FROM grants WHERE administrator_id = administrators.id ORDER BY cellar)
  END`;

/** Puts these cellars in place of those that a person had. */
export async function replaceGrants(transaction: Queryable, id: string, { cellars }: Access): Promise<void> {
  await transaction.query(`DELETE FROM grants WHERE administrator_id = $1 AND cellar <> ALL ($2)`, [
    id,
    cellars ?? [],
  ]);
  await transaction.query(
    `INSERT INTO grants (administrator_id, cellar) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING`,
    [id, cellars ?? []],
  );
}

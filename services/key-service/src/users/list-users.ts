import { toView } from '../http/to-view.ts';
import { ApiError, cutPage, readCursor } from '@cellarman/http-api';
import type { Queryable } from '../postgres/database.ts';
import { ACCESS_OF_USER } from '../access/access.ts';
import { userViewSchema } from './user-schema.ts';
import type { UserView } from './user-schema.ts';

const SELECT = `
  SELECT id, email, ${ACCESS_OF_USER}, created_at, disabled_at FROM administrators`;

/** Returns all users, ordered by email address. */
export async function listUsers(database: Queryable, { limit, cursor }: { limit: number; cursor?: string }) {
  const [after = ''] = cursor === undefined ? [] : readCursor(cursor, 1);
  const rows = await database.query<{ email: string }>(`${SELECT} WHERE email > $1 ORDER BY email LIMIT $2`, [
    after,
    limit + 1,
  ]);
  const { page, nextCursor } = cutPage(rows, limit, ({ email }) => [email]);
  return { users: page.map((row) => toView(userViewSchema, row)), nextCursor };
}

/** @throws {ApiError} `not_found` */
export async function getUser(database: Queryable, id: string): Promise<UserView> {
  const [row] = await database.query(`${SELECT} WHERE id = $1`, [id]);
  if (row === undefined) throw new ApiError('not_found', 'User not found');
  return toView(userViewSchema, row);
}

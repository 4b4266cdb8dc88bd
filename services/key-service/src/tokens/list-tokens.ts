import { selectAccess } from '../access/access.ts';
import { toView } from '../http/to-view.ts';
import { ApiError, cutPage, readCursor } from '@cellarman/http-api';
import type { Queryable } from '../postgres/database.ts';
import { tokenViewSchema } from './token-schema.ts';
import type { TokenView } from './token-schema.ts';

const TOKENS = `(
  SELECT service_tokens.id, service_tokens.name, service_tokens.display_prefix,
         ${selectAccess('service_tokens')}, service_tokens.created_at, service_tokens.created_at::text AS created_text, creator.email AS created_by,
         service_tokens.expires_at, service_tokens.revoked_at, service_tokens.last_used_at
  FROM service_tokens JOIN administrators AS creator ON creator.id = service_tokens.created_by
) AS tokens`;

/** All service tokens, newest first, also those that have expired or were revoked. */
export async function listTokens(database: Queryable, { limit, cursor }: { limit: number; cursor?: string }) {
  const [beforeTime = null, beforeId = null] = cursor === undefined ? [] : readCursor(cursor, 2);
  const rows = await database.query<{ created_text: string; id: string }>(
    `SELECT * FROM ${TOKENS}
     WHERE $1::timestamptz IS NULL OR (created_at, id) < ($1::timestamptz, $2::uuid)
     ORDER BY created_at DESC, id DESC
     LIMIT $3`,
    [beforeTime, beforeId, limit + 1],
  );
  const { page, nextCursor } = cutPage(rows, limit, (last) => [last.created_text, last.id]);
  return { tokens: page.map((row) => toView(tokenViewSchema, row)), nextCursor };
}

/** @throws {ApiError} `not_found` */
export async function getToken(database: Queryable, id: string): Promise<TokenView> {
  const [row] = await database.query(`SELECT * FROM ${TOKENS} WHERE id = $1`, [id]);
  if (row === undefined) throw new ApiError('not_found', 'Service token not found');
  return toView(tokenViewSchema, row);
}

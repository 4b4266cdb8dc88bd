import type { Static } from '@sinclair/typebox';
import { EPOCH } from '../changes/epoch.ts';
import { toInstant } from '../http/instant.ts';
import { cutPage, readCursor } from '@cellarman/http-api';
import type { Queryable } from '../postgres/database.ts';
import type { sessionListItemSchema } from './session-schema.ts';

interface Row {
  id: string;
  created_at: Date;
  created_text: string;
  used_at: Date;
  ends_at: Date;
  address: string | null;
  user_agent: string | null;
}

export interface ListSessions {
  userId: string;
  /** The session of the request. */
  currentId: string;
  idleSeconds: number;
  limit: number;
  cursor?: string;
}

/** The sessions of a person that have not ended, newest first. */
export async function listSessions(database: Queryable, list: ListSessions) {
  const { userId, currentId, idleSeconds, limit, cursor } = list;
  const [beforeTime = null, beforeId = null] = cursor === undefined ? [] : readCursor(cursor, 2);
  const rows = await database.query<Row>(
    `SELECT id, created_at, created_at::text AS created_text, used_at, ends_at, address, user_agent
     FROM sessions
     WHERE administrator_id = $1 AND epoch = ${EPOCH}
       AND ends_at > now() AND used_at > now() - make_interval(secs => $2)
       AND ($3::timestamptz IS NULL OR (created_at, id) < ($3::timestamptz, $4::uuid))
     ORDER BY created_at DESC, id DESC
     LIMIT $5`,
    [userId, idleSeconds, beforeTime, beforeId, limit + 1],
  );
  const { page, nextCursor } = cutPage(rows, limit, (last) => [last.created_text, last.id]);
  return { sessions: page.map((row) => toView(row, currentId)), nextCursor };
}

function toView(row: Row, currentId: string): Static<typeof sessionListItemSchema> {
  return {
    id: row.id,
    createdAt: toInstant(row.created_at),
    lastUsedAt: toInstant(row.used_at),
    endsAt: toInstant(row.ends_at),
    address: row.address,
    userAgent: row.user_agent,
    isCurrent: row.id === currentId,
  };
}

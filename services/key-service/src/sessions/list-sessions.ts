import { EPOCH } from '../changes/epoch.ts';
import { toView } from '../http/to-view.ts';
import { cutPage, readCursor } from '@cellarman/http-api';
import type { Queryable } from '../postgres/database.ts';
import { sessionListItemSchema } from './session-schema.ts';

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
  const rows = await database.query<{ created_text: string; id: string }>(
    `SELECT id, created_at, created_at::text AS created_text, used_at AS last_used_at, ends_at, address, user_agent
     FROM sessions
     WHERE administrator_id = $1 AND epoch = ${EPOCH}
       AND ends_at > now() AND used_at > now() - make_interval(secs => $2)
       AND ($3::timestamptz IS NULL OR (created_at, id) < ($3::timestamptz, $4::uuid))
     ORDER BY created_at DESC, id DESC
     LIMIT $5`,
    [userId, idleSeconds, beforeTime, beforeId, limit + 1],
  );
  const { page, nextCursor } = cutPage(rows, limit, (last) => [last.created_text, last.id]);
  return {
    sessions: page.map((row) => toView(sessionListItemSchema, row, { isCurrent: row.id === currentId })),
    nextCursor,
  };
}

import type { Queryable } from '../../postgres/database.ts';
import type { NotificationContent } from '../states/notification-content.ts';

export interface WaitingNotification {
  id: string;
  destinationId: string;
  content: NotificationContent;
  createdAt: Date;
  attempts: number;
  /** A test is not repeated: a person waits for its result. */
  isTest: boolean;
  kind: 'webhook' | 'email';
  url: string | null;
  secret: string | null;
  recipients: string[] | null;
}

/** Longer than one attempt takes. After it, another replica repeats what a killed one was sending. */
export const CLAIM_SECONDS = 20;
const GIVE_UP_HOURS = 24;

/** The notifications that wait, in PostgreSQL. Every replica delivers them. */
export function createOutbox({ database }: { database: Queryable }) {
  return {
    /** Takes notifications that are due. Those of a rule reach a destination in their order. */
    claim: (limit: number): Promise<WaitingNotification[]> =>
      database.query<WaitingNotification & Record<string, unknown>>(
        `WITH due AS (
           SELECT id FROM alert_notifications AS waiting
           WHERE delivered_at IS NULL AND given_up_at IS NULL AND next_attempt_at <= now()
             AND NOT EXISTS (
               SELECT FROM alert_notifications AS earlier
               WHERE earlier.destination_id = waiting.destination_id AND earlier.rule_id = waiting.rule_id
                 AND earlier.sequence < waiting.sequence
                 AND earlier.delivered_at IS NULL AND earlier.given_up_at IS NULL
             )
           ORDER BY next_attempt_at LIMIT $1
           FOR UPDATE SKIP LOCKED
         )
         UPDATE alert_notifications AS taken
         SET attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ${CLAIM_SECONDS})
         FROM due, alert_destinations AS destination
         WHERE taken.id = due.id AND destination.id = taken.destination_id
         RETURNING taken.id, taken.destination_id AS "destinationId", taken.content,
           taken.created_at AS "createdAt", taken.attempts, taken.rule_id IS NULL AS "isTest",
           destination.kind, destination.url, destination.secret, destination.recipients`,
        [limit],
      ),

    async delivered(id: string): Promise<void> {
      await database.query(
        `UPDATE alert_notifications SET delivered_at = now(), last_error = NULL WHERE id = $1`,
        [id],
      );
    },

    /** @param retrySeconds null: there is no further attempt */
    async failed(id: string, reason: string, retrySeconds: number | null): Promise<void> {
      await database.query(
        `UPDATE alert_notifications SET last_error = $2,
           next_attempt_at = now() + make_interval(secs => coalesce($3::float8, 0)),
           given_up_at = CASE
             WHEN $3::float8 IS NULL OR created_at < now() - interval '${GIVE_UP_HOURS} hours' THEN now()
           END
         WHERE id = $1 AND delivered_at IS NULL`,
        [id, reason, retrySeconds],
      );
    },
  };
}

export type Outbox = ReturnType<typeof createOutbox>;

import { ApiError } from '@cellarman/http-api';
import { requireEnabled } from '../../access/require-enabled.ts';
import { requireCellar } from '../../cellars/cellars-repository.ts';
import { lockCellar } from '../../cellars/lock-cellar.ts';
import { recordEntry } from '../../changes/record-changes.ts';
import type { Actor } from '../../changes/record-changes.ts';
import type { Database } from '../../postgres/database.ts';
import { CLAIM_SECONDS } from '../deliver/outbox.ts';
import { createWebhookSecret } from '../deliver/webhook/sign-webhook.ts';
import type { NotificationContent } from '../states/notification-content.ts';
import { DESTINATIONS, getDestination, toDestinationView } from './destination-row.ts';
import type { DestinationRow } from './destination-row.ts';
import type { DestinationChange, DestinationView, NewDestination } from './destination-schema.ts';
import { readWebhookUrl } from './read-webhook-url.ts';

const MAX_DESTINATIONS = 50;

/** Where notifications of a cellar are sent, in PostgreSQL. */
export function createDestinationsRepository(options: {
  database: Database;
  /** Whether a mail server is configured. */
  canEmail: boolean;
  /** Called when a notification was queued. */
  onQueued: () => void;
}) {
  const { database, canEmail, onQueued } = options;
  return {
    async list(cellar: string): Promise<{ destinations: DestinationView[]; canEmail: boolean }> {
      await requireCellar(database, cellar);
      const rows = await database.query<DestinationRow>(
        `SELECT * FROM ${DESTINATIONS} WHERE cellar = $1 ORDER BY lower(name), id`,
        [cellar],
      );
      return { destinations: rows.map(toDestinationView), canEmail };
    },

    /** @returns the one moment at which the signing secret is there; null for email */
    async create(
      cellar: string,
      given: NewDestination,
      actor: Actor,
    ): Promise<{ destination: DestinationView; secret: string | null }> {
      if (given.kind === 'email' && !canEmail) {
        throw new ApiError('conflict', 'This installation has no mail server: SMTP_URL is not set');
      }
      const url = given.kind === 'webhook' ? readWebhookUrl(given.url) : null;
      const secret = given.kind === 'webhook' ? createWebhookSecret() : null;
      const recipients = given.kind === 'email' ? given.recipients : null;
      return database.transaction(async (transaction) => {
        await requireEnabled(transaction, actor);
        await lockCellar(transaction, cellar);
        const [row] = await transaction.query<{ id: string; others: number }>(
          `INSERT INTO alert_destinations (cellar, kind, name, url, secret, recipients, created_by)
           VALUES ($1, $2, $3, $4, $5, $6, $7)
           RETURNING id,
             (SELECT count(*)::int FROM alert_destinations WHERE cellar = $1 AND deleted_at IS NULL) AS others`,
          [cellar, given.kind, given.name, url, secret, recipients, actor.id],
        );
        if (row === undefined) throw new Error('INSERT returned no row');
        if (row.others >= MAX_DESTINATIONS) {
          throw new ApiError('conflict', `A cellar has at most ${MAX_DESTINATIONS} destinations`);
        }
        const destination = await getDestination(transaction, cellar, row.id);
        const { kind, name, target } = destination;
        await recordEntry(transaction, actor, {
          action: 'alert_destination.created',
          cellar,
          details: { destinationId: row.id, kind, name, target },
        });
        return { destination, secret };
      });
    },

    /** @throws {ApiError} `invalid_request` for a URL of email, or recipients of a webhook */
    async change(
      cellar: string,
      id: string,
      { name, url: givenUrl, recipients }: DestinationChange,
      actor: Actor,
    ): Promise<DestinationView> {
      const url = givenUrl === undefined ? undefined : readWebhookUrl(givenUrl);
      const after = await database.transaction(async (transaction) => {
        await lockCellar(transaction, cellar);
        const before = await getDestination(transaction, cellar, id);
        if (before.kind === 'webhook' ? recipients !== undefined : url !== undefined) {
          throw new ApiError('invalid_request', `body must have what this kind has: ${before.kind}`);
        }
        await transaction.query(
          `UPDATE alert_destinations SET name = coalesce($2, name), url = coalesce($3, url),
             recipients = coalesce($4, recipients)
           WHERE id = $1`,
          [id, name, url, recipients],
        );
        // Those that an attempt has claimed come back by themselves.
        await transaction.query(
          `UPDATE alert_notifications SET next_attempt_at = now()
           WHERE destination_id = $1 AND delivered_at IS NULL AND given_up_at IS NULL
             AND next_attempt_at > now() + make_interval(secs => ${CLAIM_SECONDS})`,
          [id],
        );
        const changed = await getDestination(transaction, cellar, id);
        await recordEntry(transaction, actor, {
          action: 'alert_destination.changed',
          cellar,
          details: {
            destinationId: id,
            before: { name: before.name, target: before.target },
            after: { name: changed.name, target: changed.target },
            // The rest of a URL is a secret: two of one origin look the same.
            ...(url === undefined ? {} : { url: 'replaced' }),
          },
        });
        return changed;
      });
      onQueued();
      return after;
    },

    /** Its secrets go, and so does what waits for it. */
    async delete(cellar: string, id: string, actor: Actor): Promise<void> {
      await database.transaction(async (transaction) => {
        await lockCellar(transaction, cellar);
        const { kind, name, target } = await getDestination(transaction, cellar, id);
        await transaction.query(
          `UPDATE alert_destinations SET deleted_at = now(),
             url = CASE WHEN url IS NOT NULL THEN '' END, secret = CASE WHEN secret IS NOT NULL THEN '' END,
             recipients = CASE WHEN recipients IS NOT NULL THEN '{}'::text[] END
           WHERE id = $1`,
          [id],
        );
        await transaction.query(
          `UPDATE alert_notifications SET given_up_at = now(), last_error = 'The destination was deleted'
           WHERE destination_id = $1 AND delivered_at IS NULL AND given_up_at IS NULL`,
          [id],
        );
        await recordEntry(transaction, actor, {
          action: 'alert_destination.deleted',
          cellar,
          details: { destinationId: id, kind, name, target },
        });
      });
    },

    /** Queues a notification that is not about any alert. It is sent once. */
    async test(cellar: string, id: string, actor: Actor): Promise<void> {
      await database.transaction(async (transaction) => {
        const { name } = await getDestination(transaction, cellar, id);
        const content: NotificationContent = { type: 'alert.test', cellar, rule: null, alerts: [] };
        await transaction.query(`INSERT INTO alert_notifications (destination_id, content) VALUES ($1, $2)`, [
          id,
          content,
        ]);
        await recordEntry(transaction, actor, {
          action: 'alert_destination.tested',
          cellar,
          details: { destinationId: id, name },
        });
      });
      onQueued();
    },
  };
}

export type DestinationsRepository = ReturnType<typeof createDestinationsRepository>;

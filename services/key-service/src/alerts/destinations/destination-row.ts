import { ApiError } from '@cellarman/http-api';
import { toInstant } from '../../http/instant.ts';
import { toView } from '../../http/to-view.ts';
import type { Queryable } from '../../postgres/database.ts';
import { destinationViewSchema } from './destination-schema.ts';
import type { Delivery, DestinationView } from './destination-schema.ts';

export interface DestinationRow {
  [column: string]: unknown;
  url: string | null;
  recipients: string[] | null;
  latest: DeliveryRow | null;
}

interface DeliveryRow {
  created_at: string;
  delivered_at: string | null;
  given_up_at: string | null;
  attempts: number;
  last_error: string | null;
}

/** All destinations that are not deleted, without their secrets. */
export const DESTINATIONS = `(
  SELECT destination.id, destination.cellar, kind, destination.name, url, recipients,
         (SELECT count(*)::int FROM alert_rules
          WHERE destination.id = ANY (destinations) AND alert_rules.cellar = destination.cellar
            AND alert_rules.deleted_at IS NULL) AS rules,
         (SELECT count(*)::int FROM alert_notifications
          WHERE destination_id = destination.id AND delivered_at IS NULL AND given_up_at IS NULL) AS waiting,
         (SELECT to_jsonb(latest) FROM (
            SELECT created_at, delivered_at, given_up_at, attempts, last_error FROM alert_notifications
            WHERE destination_id = destination.id ORDER BY sequence DESC LIMIT 1
          ) AS latest) AS latest,
         destination.created_at, creator.email AS created_by
  FROM alert_destinations AS destination
  LEFT JOIN administrators AS creator ON creator.id = destination.created_by
  WHERE destination.deleted_at IS NULL
) AS destinations`;

/** @throws {ApiError} `not_found` also for a destination of another cellar */
export async function getDestination(
  database: Queryable,
  cellar: string,
  id: string,
): Promise<DestinationView> {
  const [row] = await database.query<DestinationRow>(
    `SELECT * FROM ${DESTINATIONS} WHERE cellar = $1 AND id = $2`,
    [cellar, id],
  );
  if (row === undefined) throw new ApiError('not_found', 'Destination not found in this cellar');
  return toDestinationView(row);
}

export function toDestinationView(row: DestinationRow): DestinationView {
  return toView(destinationViewSchema, row, {
    target: row.url === null ? (row.recipients ?? []).join(', ') : new URL(row.url).origin,
    latest: row.latest === null ? null : toDelivery(row.latest),
  });
}

/** Within JSON, PostgreSQL writes times as text. */
function toDelivery(row: DeliveryRow): Delivery {
  const {
    created_at: created,
    delivered_at: delivered,
    given_up_at: givenUp,
    attempts,
    last_error: error,
  } = row;
  const state = delivered !== null ? 'delivered' : givenUp !== null ? 'failed' : 'waiting';
  return { state, at: toInstant(new Date(delivered ?? givenUp ?? created)), attempts, error };
}

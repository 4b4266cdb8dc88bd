import { EPOCH } from './epoch.ts';
import type { Position } from './epoch.ts';
import type { Queryable } from '../postgres/database.ts';

/** Who does something, for the audit. */
export interface Actor {
  /** Of a user; null: a service token, or the system. */
  id: string | null;
  tokenId?: string;
  name: string;
  address: string | null;
}

export type Changed = { kind: 'key'; hash: string } | { kind: 'cellar'; cellar: string };

export interface AuditEntry {
  action: string;
  cellar?: string;
  keyId?: string;
  details?: Record<string, unknown>;
}

const ENTRY_COLUMNS = 'actor_id, token_id, actor, address, action, cellar, key_id, details';

function valuesOf(actor: Actor, entry: AuditEntry): unknown[] {
  const { action, cellar = null, keyId = null, details = {} } = entry;
  return [actor.id, actor.tokenId ?? null, actor.name, actor.address, action, cellar, keyId, details];
}

/** Writes the audit entry of something that nobody holds copies of, in the transaction that does it. */
export async function recordEntry(transaction: Queryable, actor: Actor, entry: AuditEntry): Promise<void> {
  await transaction.query(
    `INSERT INTO audit (${ENTRY_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    valuesOf(actor, entry),
  );
}

/**
 * Numbers what a transaction has changed and writes its audit entries, in the same transaction.
 *
 * Call it last: it locks the counter, and every other change waits until this transaction ends.
 *
 * @returns where the history stands with it
 */
export async function recordChanges(
  transaction: Queryable,
  actor: Actor,
  changed: readonly Changed[],
  entries: readonly AuditEntry[],
): Promise<Position> {
  const [row] = await transaction.query<{ epoch: string; number: string }>(
    `WITH last AS (
       UPDATE counter SET value = value + $1::int RETURNING value
     ), numbered AS (
       INSERT INTO changes (number, kind, hash, cellar)
       SELECT last.value - $1::int + change.ordinality, change.kind, decode(change.hash, 'hex'), change.cellar
       FROM last, unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS change (kind, hash, cellar, ordinality)
     )
     INSERT INTO audit (${ENTRY_COLUMNS}, change_number)
     SELECT $5, $6, $7, $8, entry.action, entry.cellar, entry."keyId", coalesce(entry.details, '{}'), last.value
     FROM last, jsonb_to_recordset($9::jsonb) AS entry (action text, cellar text, "keyId" uuid, details jsonb)
     RETURNING change_number AS number, ${EPOCH} AS epoch`,
    [
      changed.length,
      changed.map(({ kind }) => kind),
      changed.map((change) => (change.kind === 'key' ? change.hash : null)),
      changed.map((change) => (change.kind === 'cellar' ? change.cellar : null)),
      ...[actor.id, actor.tokenId ?? null, actor.name, actor.address],
      JSON.stringify(entries),
    ],
  );
  if (row === undefined) throw new Error('the table counter is empty');
  return { epoch: row.epoch, number: Number(row.number) };
}

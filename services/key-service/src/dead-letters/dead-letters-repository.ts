import { DEAD_LETTER_RETENTION_DAYS, MAX_DEAD_LETTERS_PER_REQUEST } from '@cellarman/contracts';
import type { DeadLetter, Replay, ReplayResult } from '@cellarman/contracts';
import { ApiError, cutPage, readCursor } from '@cellarman/http-api';
import { recordEntry } from '../changes/record-changes.ts';
import type { Actor } from '../changes/record-changes.ts';
import { toView } from '../http/to-view.ts';
import type { Database } from '../postgres/database.ts';
import { deadLetterViewSchema, STATES, wholeDeadLetterSchema } from './dead-letter-schema.ts';
import type { DeadLetterState, Selection, WholeDeadLetter } from './dead-letter-schema.ts';
import { readRack } from './read-rack.ts';

/** A bound for a program that writes nothing else: 640 MB at most. */
const MAX_KEPT = 20_000;
const PREVIEW_BYTES = 300;
/** Readings are rarely longer, so that cellar and rack can be read. */
const READ_BYTES = 2_048;

const COLUMNS = `id, at, reason, size, is_truncated, state, changed_at,
  jsonb_build_object('topic', topic, 'partition', partition, 'offset', "offset"::text) AS origin`;
/** The transaction that changed a row last: xmin has no epoch. The current one is determined first, so that age() counts from it. */
const CHANGED_BY = 'pg_current_xact_id()::text::bigint - age(xmin)';
/** What a person selects. A truncated payload is no reading, so that it cannot be replayed. */
const SELECTED = `state = 'open' AND ($1::bigint[] IS NULL OR id = ANY ($1))
  AND ($2::text IS NULL OR position(lower($2) IN lower(reason)) > 0)
  AND ($3::pg_snapshot IS NULL OR pg_visible_in_snapshot((${CHANGED_BY})::text::xid8, $3))`;

type Decision = 'replaying' | 'discarded';
interface Counted {
  selected: number;
  asOf: string;
}

const selectedFor = (to: Decision) => (to === 'replaying' ? `${SELECTED} AND NOT is_truncated` : SELECTED);

/** The dead letters that owners see, and what is decided about them. */
export function createDeadLettersRepository({ database }: { database: Database }) {
  return {
    /** One that is known already keeps its state. */
    async record(letters: readonly DeadLetter[]): Promise<void> {
      await database.query(
        `INSERT INTO dead_letters (topic, partition, "offset", digest, at, reason, key, value, size, is_truncated, headers)
         SELECT topic, partition, "offset"::bigint, sha256(decode(value, 'base64')), at, reason,
           decode(key, 'base64'), decode(value, 'base64'), size, "isTruncated", headers
         FROM jsonb_to_recordset($1::jsonb) AS letter (topic text, partition integer, "offset" text, at timestamptz,
           reason text, key text, value text, size integer, "isTruncated" boolean, headers jsonb)
         ON CONFLICT DO NOTHING`,
        // PostgreSQL has no character 0 in text.
        [JSON.stringify(letters).replaceAll('\\u0000', '\\ufffd')],
      );
    },

    async list(asked: { state: DeadLetterState; reason?: string; limit: number; cursor?: string }) {
      const { state, reason = null, limit, cursor } = asked;
      const [before = null] = cursor === undefined ? [] : readCursor(cursor, 1);
      const [rows, counted] = await Promise.all([
        database.query<{ id: string; key: Buffer; head: Buffer }>(
          `SELECT ${COLUMNS}, key, substring(value FOR ${READ_BYTES}) AS head FROM dead_letters
           WHERE state = $1 AND ($2::text IS NULL OR position(lower($2) IN lower(reason)) > 0)
             AND ($3::bigint IS NULL OR id < $3)
           ORDER BY id DESC LIMIT $4`,
          [state, reason, before, limit + 1],
        ),
        database.query<{ state: DeadLetterState; count: string }>(
          'SELECT state, count(*) FROM dead_letters GROUP BY state',
        ),
      ]);
      const { page, nextCursor } = cutPage(rows, limit, ({ id }) => [id]);
      const counts = Object.fromEntries(
        STATES.map((each) => [each, Number(counted.find((row) => row.state === each)?.count ?? 0)]),
      ) as Record<DeadLetterState, number>;
      const deadLetters = page.map((row) =>
        toView(deadLetterViewSchema, row, {
          source: readRack(row.head, row.key),
          preview: row.head.toString('utf8', 0, PREVIEW_BYTES),
        }),
      );
      return { deadLetters, nextCursor, counts };
    },

    async get(id: string): Promise<WholeDeadLetter> {
      const [row] = await database.query<{ key: Buffer; value: Buffer }>(
        `SELECT ${COLUMNS}, key, value, headers FROM dead_letters WHERE id = $1`,
        [id],
      );
      if (row === undefined) throw new ApiError('not_found', 'Dead letter not found');
      const { key, value } = row;
      return toView(wholeDeadLetterSchema, row, {
        key: key.toString('base64'),
        value: value.toString('base64'),
      });
    },

    /** Counts the selected ones. `asOf` in a later selection leaves out what arrives meanwhile. */
    async count(to: Decision, { ids, reason, asOf }: Selection): Promise<Counted> {
      const [row] = await database.query<{ count: string; as_of: string }>(
        `SELECT count(*), pg_current_snapshot()::text AS as_of FROM dead_letters WHERE ${selectedFor(to)}`,
        [ids ?? null, reason ?? null, asOf ?? null],
      );
      return { selected: Number(row?.count ?? 0), asOf: asOf ?? row?.as_of ?? '' };
    },

    /** Sets the state of the selected ones, with an audit entry. @returns how many were selected */
    async decide(to: Decision, { ids, reason, asOf }: Selection, actor: Actor): Promise<number> {
      return database.transaction(async (transaction) => {
        const [row] = await transaction.query<{ count: string }>(
          `WITH decided AS (
             UPDATE dead_letters SET state = $4, changed_at = now() WHERE ${selectedFor(to)} RETURNING 1
           ) SELECT count(*) FROM decided`,
          [ids ?? null, reason ?? null, asOf ?? null, to],
        );
        const count = Number(row?.count ?? 0);
        if (count === 0) return 0;
        const action = to === 'replaying' ? 'dead_letters.replayed' : 'dead_letters.discarded';
        await recordEntry(transaction, actor, {
          action,
          details: {
            count,
            ...(ids === undefined ? {} : { ids }),
            ...(reason === undefined ? {} : { reason }),
          },
        });
        return count;
      });
    },

    /** They stay until their result is here: a sink that is killed in between leaves them to the next one. */
    async replays(): Promise<Replay[]> {
      const rows = await database.query<{ id: string; value: Buffer; headers: Record<string, string> }>(
        `SELECT id, value, headers FROM dead_letters WHERE state = 'replaying' ORDER BY id LIMIT $1`,
        [MAX_DEAD_LETTERS_PER_REQUEST],
      );
      return rows.map(({ id, value, headers }) => ({ id, value: value.toString('base64'), headers }));
    },

    async finish(results: readonly ReplayResult[]): Promise<void> {
      await database.query(
        `UPDATE dead_letters SET changed_at = now(), reason = coalesce(rejected, reason),
           state = CASE WHEN rejected IS NULL THEN 'replayed' ELSE 'open' END
         FROM unnest($1::bigint[], $2::text[]) AS result (result_id, rejected)
         WHERE id = result_id AND state = 'replaying'`,
        [
          results.map(({ id }) => id),
          results.map(({ rejected }) => rejected?.replaceAll('\u0000', '\ufffd') ?? null),
        ],
      );
    },

    async prune(): Promise<void> {
      await database.query(
        `DELETE FROM dead_letters WHERE at < now() - make_interval(days => $1)
           OR id <= (SELECT id FROM dead_letters ORDER BY id DESC OFFSET $2 LIMIT 1)`,
        [DEAD_LETTER_RETENTION_DAYS, MAX_KEPT],
      );
    },
  };
}

export type DeadLettersRepository = ReturnType<typeof createDeadLettersRepository>;

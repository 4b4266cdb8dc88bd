import { until } from '@cellarman/local-stack';
import type { Client } from 'pg';
import { send } from './call-all.ts';
import type { Caller } from './call-all.ts';

/** One request of ingest has up to 1,000 uses. */
const BATCH = 1_000;
const BATCHES = 100;

/**
 * Bytes of WAL that one use of a key costs, from `pg_stat_wal`. After a checkpoint PostgreSQL writes each page that changes
 * as a whole, once, for all uses on it. So the same keys are used twice: the second time there are no such images.
 */
export async function measureUses(
  client: Client,
  caller: Caller,
): Promise<{ walBytes: number; walBytesAfterCheckpoint: number; hotShare: number }> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT key_id AS id FROM key_uses WHERE at < now() - interval '1 hour' ORDER BY hashtext(key_id::text) LIMIT $1`,
    [BATCH * BATCHES],
  );
  const ids = rows.map(({ id }) => id);
  const reportAll = async (at: Date) => {
    for (let first = 0; first < ids.length; first += BATCH) {
      const uses = ids.slice(first, first + BATCH).map((id) => ({ id, at: at.toISOString() }));
      // A busy machine may need more than the statement timeout. Repeated, a use counts once.
      await until('key-service stores the uses', async () => {
        const response = await send(caller, {
          ...{ method: 'POST', path: '/internal/v1/keys/last-used' },
          body: { uses },
        });
        await response.body?.cancel();
        return response.ok;
      });
    }
    return counters(client);
  };
  await client.query('CHECKPOINT');
  const begin = await counters(client);
  const first = await reportAll(new Date(Date.now() - 1_800_000));
  const second = await reportAll(new Date());
  return {
    walBytes: (second.bytes - first.bytes) / ids.length,
    walBytesAfterCheckpoint: (first.bytes - begin.bytes) / ids.length,
    hotShare: (second.hot - begin.hot) / (second.updated - begin.updated),
  };
}

interface Counters {
  bytes: number;
  updated: number;
  hot: number;
}

async function counters(client: Client): Promise<Counters> {
  // Sessions report their counters about a second after their last statement.
  await client.query('SELECT pg_sleep(2)');
  const { rows } = await client.query<Counters>(
    `SELECT wal_bytes::float8 AS bytes, n_tup_upd::float8 AS updated, n_tup_hot_upd::float8 AS hot
     FROM pg_stat_wal, pg_stat_user_tables WHERE relname = 'key_uses'`,
  );
  if (rows[0] === undefined) throw new Error('there is no pg_stat_wal');
  return rows[0];
}

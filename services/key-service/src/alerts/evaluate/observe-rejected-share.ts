import type { Queryable } from '../../postgres/database.ts';
import type { ConditionOf } from '../rules/condition-schema.ts';
import type { Observation } from './observed.ts';
import type { RequestObservation } from './observations-client.ts';

const MINUTE_MS = 60_000;
/** From receipt until a reading can be queried, and until ingest has reported a rejection. Usually less than two seconds. */
const ARRIVAL_MS = 15_000;

/** Compares rejections with received readings of the same complete minutes. */
export async function observeRejectedShare(
  cellar: string,
  { percent, windowSeconds, minRejected }: ConditionOf<'rejected_share'>,
  { database, request }: { database: Queryable; request: RequestObservation },
): Promise<Observation> {
  const to = new Date(Math.floor((Date.now() - ARRIVAL_MS) / MINUTE_MS) * MINUTE_MS);
  const from = new Date(to.getTime() - windowSeconds * 1_000);
  const rejected = await countRejected(database, cellar, from, to);
  const none = { subjects: [], holdSeconds: 0, isTruncated: false };
  if (rejected < minRejected) return none;
  const range = { from: toInstant(from), to: toInstant(to) };
  const { readings: received } = await request('receivedCount', { cellar, ...range });
  const share = (100 * rejected) / (rejected + received);
  if (share <= percent) return none;
  const details = { percent: Math.round(share * 100) / 100, rejected, received };
  return { ...none, subjects: [{ subject: '', label: cellar, since: to, brokenAt: null, details }] };
}

async function countRejected(database: Queryable, cellar: string, from: Date, to: Date): Promise<number> {
  const [row] = await database.query<{ rejected: string }>(
    `SELECT coalesce(sum(count), 0) AS rejected FROM refusals
     WHERE cellar = $1 AND minute >= $2 AND minute < $3`,
    [cellar, from, to],
  );
  return Number(row?.rejected ?? 0);
}

function toInstant(at: Date): string {
  return at.toISOString();
}

import type { Queryable } from '../../postgres/database.ts';
import type { ConditionOf } from '../rules/condition-schema.ts';
import type { DueRule } from './due-rules.ts';
import { findExpiringKeys } from './find-expiring-keys.ts';
import { observeRejectedShare } from './observe-rejected-share.ts';
import type { Observation } from './observed.ts';
import type { RequestObservation } from './observations-client.ts';

export interface ObserveOptions {
  database: Queryable;
  request: RequestObservation;
  /** Rejects while accepted readings may not be stored yet: their absence would mean nothing. */
  requireStored: () => Promise<void>;
}

interface ValueSettings extends Record<string, unknown> {
  unit: string | null;
  decimals: number | null;
}

const DAY_SECONDS = 86_400;
/** Looked back further than a condition must hold, for readings that arrive late. */
const LATE_SECONDS = 300;

/** Returns the subjects for which the condition of a rule holds now. */
export async function observe(rule: DueRule, options: ObserveOptions): Promise<Observation> {
  const { condition } = rule;
  switch (condition.kind) {
    case 'rack_silent':
      await options.requireStored();
      return observeSilence(rule, condition, options.request);
    case 'keg_value':
      return observeValues(rule, condition, options);
    case 'rejected_share':
      await options.requireStored();
      return observeRejectedShare(rule.cellar, condition, options);
    case 'key_expires':
      return findExpiringKeys(options.database, rule.cellar, condition);
  }
}

async function observeSilence(
  { cellar, retentionDays }: DueRule,
  condition: ConditionOf<'rack_silent'>,
  request: RequestObservation,
): Promise<Observation> {
  const { silentForSeconds } = condition;
  // Of a rack without readings nothing is known, so it must be forgotten before its last one expires.
  const forgetAfterSeconds = Math.min(condition.forgetAfterSeconds, retentionDays * DAY_SECONDS);
  const { racks, isTruncated } = await request('silentRacks', {
    ...selectionOf(cellar, condition),
    silentForSeconds,
    forgetAfterSeconds,
  });
  return {
    subjects: racks.map(({ rack, lastSeenAt }) => ({
      subject: rack,
      label: rack,
      since: new Date(lastSeenAt),
      brokenAt: new Date(lastSeenAt),
      details: {},
    })),
    holdSeconds: silentForSeconds,
    forgottenBefore: new Date(Date.now() - forgetAfterSeconds * 1_000),
    isTruncated,
  };
}

async function observeValues(
  { cellar }: DueRule,
  condition: ConditionOf<'keg_value'>,
  { database, request }: ObserveOptions,
): Promise<Observation> {
  const { keg, above, below, forSeconds } = condition;
  const [settings = { unit: null, decimals: null }] = await database.query<ValueSettings>(
    'SELECT unit, decimals FROM keg_settings WHERE cellar = $1 AND keg = $2',
    [cellar, keg],
  );
  const { racks, isTruncated } = await request('kegValues', {
    ...selectionOf(cellar, condition),
    keg,
    ...(above === null ? {} : { above }),
    ...(below === null ? {} : { below }),
    lookBackSeconds: forSeconds + LATE_SECONDS,
  });
  const now = Date.now();
  return {
    subjects: racks.map(({ rack, value, since, lastGoodAt }) => ({
      subject: rack,
      label: rack,
      // A clock ahead of ours does not delay the alert.
      since: new Date(Math.min(Date.parse(since), now)),
      brokenAt: lastGoodAt === null ? null : new Date(lastGoodAt),
      details: { keg, value, ...settings },
    })),
    holdSeconds: forSeconds,
    isTruncated,
  };
}

function selectionOf(
  cellar: string,
  { rack, rackPrefix }: { rack: string | null; rackPrefix: string | null },
) {
  return {
    cellar,
    ...(rack === null ? {} : { rack }),
    ...(rackPrefix === null ? {} : { rackPrefix }),
  };
}

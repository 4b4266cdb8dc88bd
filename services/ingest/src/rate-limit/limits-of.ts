import type { KeyRecord } from '@cellarman/contracts';
import type { RateLimit, RatePolicy } from './rate-policy.ts';

/**
 * What a request with a key takes tokens from: the bucket of the key, then that of its cellar, if it has one. In this order, so
 * that a key beyond its own limit takes nothing from the others.
 *
 * @param defaults for keys without a rate or a burst of their own
 */
export function createLimitsOf(defaults: RatePolicy): (record: KeyRecord) => readonly RateLimit[] {
  // A record is looked up once and used by many requests.
  const known = new WeakMap<KeyRecord, readonly RateLimit[]>();

  return (record) => {
    let limits = known.get(record);
    if (limits === undefined) {
      const { cellarRatePerSecond: perSecond = null, cellarRateBurst: burst = null } = record;
      const policy = {
        perSecond: record.ratePerSecond ?? defaults.perSecond,
        burst: record.rateBurst ?? defaults.burst,
      };
      const ofKey: RateLimit = { id: record.id, name: 'api-key', policy };
      limits = [ofKey];
      if (perSecond !== null && burst !== null) {
        // The id of a key has no colon.
        const id = `cellar:${record.cellar}`;
        limits = [ofKey, { id, name: 'cellar', policy: { perSecond, burst, isDivided: true } }];
      }
      known.set(record, limits);
    }
    return limits;
  };
}

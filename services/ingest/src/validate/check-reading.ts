import { MISSING_RIGHTS } from '@cellarman/contracts';
import type { KnownKey } from '../key-cache/known-key.ts';
import type { ScannedReading } from '../scan/scan-state.ts';
import type { ServerClock } from '../server-clock.ts';

const MS_PER_DAY = 86_400_000;

/** Why a reading may not be stored although it is one. */
export interface ReadingProblem {
  code: 'timestamp_out_of_range' | keyof typeof MISSING_RIGHTS;
  error: string;
}

/**
 * Whether a reading lies in time, and whether this key may send it.
 *
 * @param now when it was received, in milliseconds since 1970
 */
export type CheckReading = (
  reading: ScannedReading,
  key: KnownKey,
  now: number,
) => ReadingProblem | undefined;

export function createCheckReading(options: { clock: ServerClock; maxClockSkewMs: number }): CheckReading {
  const { clock, maxClockSkewMs } = options;
  return (reading, key, now) => {
    const problem = timestampProblem(reading.timestampMs, now, key.retentionMs, maxClockSkewMs);
    if (problem !== undefined) {
      const error = `"timestamp" ${problem}; the time of the server is ${clock.iso(now)}`;
      return { code: 'timestamp_out_of_range', error };
    }
    const missing = missingRight(reading, key);
    return missing === undefined ? undefined : { code: missing, error: MISSING_RIGHTS[missing] };
  };
}

function timestampProblem(
  timestampMs: number,
  now: number,
  retentionMs: number,
  maxClockSkewMs: number,
): string | undefined {
  if (timestampMs > now + maxClockSkewMs)
    return `is more than ${maxClockSkewMs / 1_000} seconds in the future`;
  if (timestampMs < now - retentionMs) {
    return `is older than the ${retentionMs / MS_PER_DAY} days for which the cellar keeps readings`;
  }
  return undefined;
}

function missingRight(
  { cellar, rack }: ScannedReading,
  key: KnownKey,
): keyof typeof MISSING_RIGHTS | undefined {
  const { record } = key;
  if (cellar !== record.cellar) return 'cellar_mismatch';
  if (record.rack !== null && rack !== record.rack) return 'rack_mismatch';
  if (record.rackPrefix !== null && !rack.startsWith(record.rackPrefix)) return 'rack_mismatch';
  return key.mayIngest ? undefined : 'insufficient_scope';
}

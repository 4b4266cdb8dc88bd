import { plural } from '../display/describe-number.ts';
import type { StatusKind } from '../display/status.tsx';
import type { Activity } from './activity.ts';

const MINUTE_MS = 60_000;
const SILENT_MS = 15 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** One typing error of a device is no reason to worry. */
const REJECTED_SHARE = 0.01;

export interface CellarStatus {
  kind: StatusKind;
  word: string;
  /** Why a user should look, if so. */
  attention?: string;
  /** As in "3 racks silent for over 15 minutes". */
  silentRacks?: string;
}

/** The share of rejected readings of the last hour, from 0 to 1. */
export function rejectedShare(rejected: number, { readingsLastHour }: Activity): number {
  return rejected === 0 ? 0 : rejected / (rejected + readingsLastHour);
}

/** @param rejected in the last hour */
export function cellarStatus(activity: Activity, rejected: number, now: number): CellarStatus {
  const status = statusOf(activity, rejected, now);
  const { silentRacks } = activity;
  if (silentRacks === 0 || status.kind === 'idle') return status;
  return { ...status, silentRacks: `${plural(silentRacks, 'rack')} silent for over 15 minutes` };
}

function statusOf(activity: Activity, rejected: number, now: number): CellarStatus {
  const share = rejectedShare(rejected, activity);
  const isRejecting = share > REJECTED_SHARE;
  const percent = `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} % rejected in the last hour`;
  if (activity.lastReadingAt === null) {
    return isRejecting
      ? { kind: 'bad', word: 'Rejecting', attention: percent }
      : { kind: 'idle', word: 'No readings' };
  }
  const silence = now - Date.parse(activity.lastReadingAt);
  if (silence > DAY_MS && !isRejecting) return { kind: 'idle', word: 'Inactive' };
  if (isRejecting) return { kind: 'bad', word: 'Rejecting', attention: percent };
  if (silence > SILENT_MS) return { kind: 'bad', word: 'Silent', attention: 'no reading for 15 minutes' };
  if (activity.silentRacks > 0) return { kind: 'warn', word: 'Racks silent' };
  return { kind: 'ok', word: 'Receiving' };
}

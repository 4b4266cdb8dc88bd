import { describeExactly, plural } from '../display/describe-number.ts';
import type { Verification, VerifiedHour } from './verification-query.ts';

export type Figures = Verification['total'];
/** Nothing: the verified hours have no readings, so that a match would prove nothing. */
export type Verdict = 'match' | 'mismatch' | 'unknown' | 'nothing';

/** Hours are checked again every hour by default; later than this, something is wrong. */
const LATE_MS = 3 * 3_600_000;

/** Returns whether the last day matches. A mismatch counts however much else is unknown. */
export function verdictOf({ total, hours, checkedAt }: Verification, now: number): Verdict {
  if (hasMismatch(total)) return 'mismatch';
  const isLate = checkedAt === null || now - Date.parse(checkedAt) > LATE_MS;
  if (isLate || hours.some(({ state }) => state !== 'verified')) return 'unknown';
  return hasReadings(total) ? 'match' : 'nothing';
}

export function hasMismatch({ missing, duplicated, altered }: Figures): boolean {
  return missing + duplicated + altered > 0;
}

function hasReadings(figures: Figures): boolean {
  return Object.values(figures).some((count) => count > 0);
}

/** Returns "1,203 acknowledged, 1,203 stored, 0 missing, 0 duplicated, 0 altered". */
export function describeFigures(figures: Figures): string {
  if (!hasReadings(figures)) return 'no readings in the verified hours';
  const { acknowledged, stored, missing, duplicated, altered, expired, deadLetters } = figures;
  const parts = [
    `${describeExactly(acknowledged)} acknowledged`,
    `${describeExactly(stored)} stored`,
    `${describeExactly(missing)} missing`,
    `${describeExactly(duplicated)} duplicated`,
    `${describeExactly(altered)} altered`,
  ];
  if (expired > 0) parts.push(`${describeExactly(expired)} expired`);
  if (deadLetters > 0) parts.push(plural(deadLetters, 'dead letter'));
  return parts.join(', ');
}

/** Returns which hours were not compared, or undefined. */
export function describeUnchecked(hours: readonly VerifiedHour[]): string | undefined {
  const unchecked = hours.filter(({ state }) => state !== 'verified').length;
  if (unchecked === 0) return undefined;
  return unchecked === hours.length
    ? 'No completed hour has been checked'
    : `${plural(unchecked, 'hour')} not checked`;
}

const COLUMNS = [
  ...(['at', 'state', 'checkedAt', 'messages', 'acknowledged', 'stored'] as const),
  ...(['missing', 'duplicated', 'altered', 'expired', 'deadLetters'] as const),
];

/** Returns the hours as CSV, with empty figures where an hour was not compared. */
export function toCsv(hours: readonly VerifiedHour[]): string {
  const lines = hours.map((hour) =>
    COLUMNS.map((name) => {
      const isFigure = typeof hour[name] === 'number';
      return isFigure && hour.state !== 'verified' ? '' : String(hour[name] ?? '');
    }).join(','),
  );
  return [COLUMNS.join(','), ...lines, ''].join('\n');
}

import { plural } from '../display/describe-number.ts';

/** Describes what a new retention does to stored readings. */
export function describeRetentionChange(from: number, to: number): string {
  return to < from
    ? `Readings older than ${plural(to, 'day')} are hidden immediately and removed later. Until then, a longer retention shows them again.`
    : `Readings are kept for ${plural(to, 'day')} from now on. Readings that are already removed do not come back.`;
}

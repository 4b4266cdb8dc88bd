import { plural } from '../display/describe-number.ts';

/** What another retention does to what is stored. */
export function describeRetentionChange(from: number, to: number): string {
  return to < from
    ? `Readings older than ${plural(to, 'day')} are hidden at once and removed later. Until they are removed, a longer retention shows them again.`
    : `Readings are kept for ${plural(to, 'day')} from now on. Those that a shorter retention has already removed do not come back.`;
}

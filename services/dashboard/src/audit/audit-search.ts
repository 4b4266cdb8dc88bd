import { oneOf, present, searchOf, text } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';
import { ACTIONS } from './describe-entry.ts';

export type AuditSearch = ReturnType<typeof readAuditSearch>;

export const readAuditSearch = searchOf({
  /** Left out: all actions. */
  action: oneOf(...ACTIONS),
  /** A part of the email address of the user, or of the name of the service token. */
  actor: text,
  /** The first and the last day, in the zone of the reader, as in 2026-11-23. */
  from: day,
  to: day,
  cursor: text,
});

/** Returns the parameters of a request: the days become the times at which they begin and end. */
export function auditParams({ from, to, ...rest }: AuditSearch) {
  return present({
    ...rest,
    from: from === undefined ? undefined : dayStart(from, 0),
    to: to === undefined ? undefined : dayStart(to, 1),
  });
}

function day(search: Search, name: string): string | undefined {
  const given = text(search, name);
  return given !== undefined && !Number.isNaN(Date.parse(`${given}T00:00`)) ? given : undefined;
}

/** A day has 23 to 25 hours, so that the next one is counted in days. */
function dayStart(of: string, daysLater: number): string {
  const at = new Date(`${of}T00:00`);
  at.setDate(at.getDate() + daysLater);
  return at.toISOString();
}

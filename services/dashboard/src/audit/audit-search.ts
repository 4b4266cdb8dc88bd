import { present, readChoice, readText } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';
import { ACTIONS } from './describe-entry.ts';
import type { Action } from './describe-entry.ts';

export interface AuditSearch {
  /** Left out: all actions. */
  action?: Action;
  /** A part of the email address of the user, or of the name of the service token. */
  actor?: string;
  /** The first and the last day, in the zone of the reader, as in 2026-11-23. */
  from?: string;
  to?: string;
  cursor?: string;
}

export function readAuditSearch(search: Search): AuditSearch {
  return present({
    action: readChoice(search, 'action', ACTIONS),
    actor: readText(search, 'actor'),
    from: readDay(search, 'from'),
    to: readDay(search, 'to'),
    cursor: readText(search, 'cursor'),
  });
}

/** Returns the parameters of a request: the days become the times at which they begin and end. */
export function auditParams({ from, to, ...rest }: AuditSearch) {
  return present({
    ...rest,
    from: from === undefined ? undefined : dayStart(from, 0),
    to: to === undefined ? undefined : dayStart(to, 1),
  });
}

function readDay(search: Search, name: string): string | undefined {
  const day = readText(search, name);
  return day !== undefined && !Number.isNaN(Date.parse(`${day}T00:00`)) ? day : undefined;
}

/** A day has 23 to 25 hours, so that the next one is counted in days. */
function dayStart(day: string, daysLater: number): string {
  const at = new Date(`${day}T00:00`);
  at.setDate(at.getDate() + daysLater);
  return at.toISOString();
}

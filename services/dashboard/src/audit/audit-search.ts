import { present, readChoice, readText } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';
import { ACTIONS } from './describe-entry.ts';
import type { Action } from './describe-entry.ts';

export interface AuditSearch {
  /** What was done. Left out: everything. */
  action?: Action;
  /** A part of who did it. */
  actor?: string;
  cursor?: string;
}

export function readAuditSearch(search: Search): AuditSearch {
  return present({
    action: readChoice(search, 'action', ACTIONS),
    actor: readText(search, 'actor'),
    cursor: readText(search, 'cursor'),
  });
}

import { present, readChoice, readText } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';
import { ACTIONS } from './describe-entry.ts';
import type { Action } from './describe-entry.ts';

export interface AuditSearch {
  /** Left out: all actions. */
  action?: Action;
  /** A part of the email address of the user, or of the name of the service token. */
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

import { present, readChoice, readText } from '../display/read-search.ts';
import type { Search } from '../display/read-search.ts';

const STATES = ['open', 'replaying', 'replayed', 'discarded'] as const;

export interface DeadLettersSearch {
  /** Left out: open ones. */
  state?: (typeof STATES)[number];
  /** A part of the reason. */
  reason?: string;
  cursor?: string;
  /** The id of the one that is shown in a dialog. */
  letter?: string;
}

export function readDeadLettersSearch(search: Search): DeadLettersSearch {
  return present({
    state: readChoice(search, 'state', STATES),
    reason: readText(search, 'reason'),
    cursor: readText(search, 'cursor'),
    letter: readText(search, 'letter'),
  });
}

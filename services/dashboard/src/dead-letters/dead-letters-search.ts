import { oneOf, searchOf, text } from '../display/read-search.ts';

export type DeadLettersSearch = ReturnType<typeof readDeadLettersSearch>;

export const readDeadLettersSearch = searchOf({
  /** Left out: open ones. */
  state: oneOf('open', 'replaying', 'replayed', 'discarded'),
  /** A part of the reason. */
  reason: text,
  cursor: text,
  /** The id of the one that is shown in a dialog. */
  letter: text,
});

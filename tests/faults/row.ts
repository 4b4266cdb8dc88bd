import type { Round } from './round.ts';
import type { HarnessOptions } from './harness.ts';

/** One line of the table of promises that the product must keep, tried at length: a command of its own. */
export interface Row {
  /** On the command line: `broker-paused`. */
  name: string;
  title: string;
  /** What must hold, as it stands in the report. */
  goal: string;
  /** Mounts disks or cuts networks. */
  needsRoot?: boolean;
  /** Played one after the other, each on a product of its own; a call goes on where the last one stopped. */
  parts: readonly Part[];
}

export interface Part {
  /** Unique in its row: `kafka`. */
  name: string;
  /** How long it takes, so that a call does not begin what it cannot end. */
  minutes: number;
  harness?: HarnessOptions;
  round: Round;
}

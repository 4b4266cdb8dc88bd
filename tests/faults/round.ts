import type { Ledger, Verdict } from './ledger.ts';
import type { Load, LoadOptions } from './load.ts';
import type { Management } from './management.ts';
import type { Harness } from './harness.ts';
import type { Figures } from '../../services/sink/src/verify-hours/hour-report.ts';
import type { TallyFigures } from './tally.ts';

/** A failure, or several in a row, under load. A round is red when it loses, duplicates or alters a reading. */
export interface Round {
  /** As it stands in the report: `kill -9 of each process`. */
  name: string;
  /**
   * Injects the failure and ends it, while clients post. Must throw when the failure did not happen (the same process
   * is still there, no request failed or waited). Measurements go to `run.note`.
   */
  fault(run: RunningRound): Promise<void>;
  /** Responses other than 200, 503 and none that are valid in this round: `400 timestamp_out_of_range`. */
  allowedAnswers?: readonly string[];
  bounds?: Bounds;
  load?: { clients?: number; rate?: number; batch?: number };
  /** Senders that take the place of these clients. Each has racks of its own, whose readings must be in order in the topic. */
  senders?: Senders;
  /** How long the view may take to be complete after the load has stopped, in milliseconds. @default 120000 */
  settleMs?: number;
  /** Whether the verification of completed hours and the list of dead letters must find the same as the ledger. */
  isVerified?: boolean;
}

export interface Senders {
  racks: number;
  isTimedByClient: (rack: number) => boolean;
  start(harness: Harness, options: LoadOptions & { cellar: string }): Load;
}

/** Held by the long rounds only: on a busy machine a test says nothing about time. */
export interface Bounds {
  /** Rejected or without a response. */
  failedRequests?: number;
  slowestAnswerMs?: number;
  longestOutageMs?: number;
}

/** What fault injection acts on. */
export interface RunningRound {
  harness: Harness;
  load: Load;
  ledger: Ledger;
  cellar: string;
  apiKey: string;
  management: Management;
  /** Publishes messages that must become dead letters, each once. */
  publishInvalid(count: number): Promise<void>;
  /** Waits until this number of further readings is acknowledged. */
  acknowledgedGrows(by: number): Promise<void>;
  /** A figure for the report; of several with one name the largest stays. */
  note(name: string, value: number): void;
  /** For a person who waits: what happens now. */
  say(text: string): void;
}

/** Everything that is known about a round that was played. */
export interface RoundReport extends TallyFigures {
  round: string;
  view: Verdict;
  /** Compared with the raw topic, where duplicates are allowed. */
  topic: Verdict;
  /** First occurrences in the topic that are behind a later reading of their rack; counted in rounds with senders. */
  outOfOrder: number;
  /** Messages that must be dead letters. */
  invalid: number;
  /** Messages in the dead-letter topic beyond them. */
  deadLetters: number;
  /** What key-service lists, in rounds that are verified. */
  listed?: number;
  /** Readings and latest values that charts would show otherwise than the view. */
  mischarted: number;
  /** Results of the verification of completed hours, in rounds that include it. */
  verified?: Figures | undefined;
  figures: Record<string, number>;
  /** Empty: the round is green. */
  problems: string[];
}

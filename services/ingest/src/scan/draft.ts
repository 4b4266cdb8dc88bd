import { fault } from './json-bytes.ts';
import type { StringFacts } from './scan-string.ts';
import { createStringFacts } from './scan-string.ts';

/**
 * A good reading. The ranges are byte positions in the scanned buffer, `End` being behind the last byte, and strings
 * include their quotes: a line for the topic is made by copying them, so that nothing is written in another way than
 * the client wrote it.
 */
export interface ScannedReading {
  ok: true;
  cellar: string;
  rack: string;
  /** Milliseconds since 1970, rounded down. */
  timestampMs: number;
  /** Its opening brace. */
  objectStart: number;
  cellarStart: number;
  cellarEnd: number;
  rackStart: number;
  rackEnd: number;
  kegStart: number;
  kegEnd: number;
  valueStart: number;
  valueEnd: number;
  timestampStart: number;
  timestampEnd: number;
}

/** What the steps of one scan hand to each other. */
export interface Draft {
  reading: ScannedReading;
  facts: StringFacts;
  /** Why it is no reading although it may be JSON; empty while there is no reason. */
  problem: string;
}

export function createDraft(): Draft {
  return {
    reading: {
      ok: true,
      cellar: '',
      rack: '',
      timestampMs: 0,
      objectStart: 0,
      cellarStart: 0,
      cellarEnd: 0,
      rackStart: 0,
      rackEnd: 0,
      kegStart: 0,
      kegEnd: 0,
      valueStart: 0,
      valueEnd: 0,
      timestampStart: 0,
      timestampEnd: 0,
    },
    facts: createStringFacts(),
    problem: '',
  };
}

/** Makes a draft ready for the next scan. A reading that is found good has written all the rest anew. */
export function resetDraft(draft: Draft): void {
  draft.reading.cellar = '';
  draft.reading.rack = '';
  draft.problem = '';
}

/** Ends the scan with a reason. The first one counts. */
export function refuse(draft: Draft, position: number, problem: string): number {
  draft.problem = problem;
  return fault(position);
}

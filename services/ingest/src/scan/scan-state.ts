import { READING_FIELDS } from '@cellarman/reading';
import type { FieldRanges } from '@cellarman/reading';
import { errorAt } from './scan-position.ts';
import type { ScannedString } from './scan-string.ts';
import { createScannedString } from './scan-string.ts';

/** A good reading: where its values stand in the scanned buffer, and what the next steps need of them. */
export interface ScannedReading extends FieldRanges {
  ok: true;
  cellar: string;
  rack: string;
  /** Milliseconds since 1970, rounded down. */
  timestampMs: number;
}

/** What the steps of one scan hand to each other. */
export interface ScanState {
  reading: ScannedReading;
  string: ScannedString;
  /** Why it is no reading although it may be JSON; empty while there is no reason. */
  problem: string;
}

const NO_POSITIONS = READING_FIELDS.map(() => 0);

export function createScanState(): ScanState {
  return {
    reading: {
      ok: true,
      cellar: '',
      rack: '',
      timestampMs: 0,
      objectStart: 0,
      canonicalEnd: 0,
      present: 0,
      starts: NO_POSITIONS.slice(),
      ends: NO_POSITIONS.slice(),
    },
    string: createScannedString(),
    problem: '',
  };
}

/** Makes a state ready for the next scan. A reading that is found good has overwritten the rest. */
export function resetScanState(state: ScanState): void {
  state.reading.cellar = '';
  state.reading.rack = '';
  state.problem = '';
}

/** Ends the scan with a reason. The first one counts. */
export function reject(state: ScanState, position: number, problem: string): number {
  state.problem = problem;
  return errorAt(position);
}

import type { ScannedReading } from '../../scan/scan-state.ts';

/** Why one reading is not stored. `error` is for a person. */
export interface ReadingRejection {
  ok: false;
  code: 'invalid_json' | 'invalid_reading' | 'payload_too_large';
  error: string;
}

/** Finds the readings of a batch one after the other. */
export interface BatchReader {
  /**
   * The next reading, good or not; undefined after the last. A good one is valid until the next call: its object is used
   * again.
   *
   * @throws {BatchRejection} when the batch itself is broken
   */
  next(): ScannedReading | ReadingRejection | undefined;
  /** Where the ranges of a good reading stand: the body, unless its readings are in another format. */
  readonly bytes: Buffer;
  /** Of the last reading, where several readings share a line: the index of its line. */
  readonly line?: number;
  /** Whether a batch without readings is a success. */
  readonly mayBeEmpty?: true;
  /** How far the body is read. */
  readonly position: number;
}

export function tooLong(maxReadingBytes: number): string {
  return `A reading must have at most ${maxReadingBytes} bytes`;
}

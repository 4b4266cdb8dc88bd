/** A reading as it will be sent, or why it is not. */
export interface FileReading {
  /** Where it stands in the file, from 1. */
  line: number;
  json: Buffer;
}

/** More than any server takes; what is longer is told and not held in memory. */
export const MOST_BYTES = 1_048_576;

/** A reading as it will be sent, or why it is not. */
export interface FileReading {
  /** Where it stands in the file, from 1. */
  line: number;
  json: Buffer;
}

/** More than any server accepts. A longer line is reported and not buffered. */
export const MOST_BYTES = 1_048_576;

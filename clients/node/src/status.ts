import type { Problem } from './options.ts';
import type { Reading } from './reading.ts';

export interface ClientStatus {
  /** Readings in the spool, and their bytes. */
  waiting: number;
  bytes: number;
  /** When the oldest one was put, ISO 8601. */
  oldestAt: string | null;
  /** Acknowledged by ingest, rejected by it for good, and dropped because the spool was full: since the spool was created. */
  sent: number;
  rejected: number;
  dropped: number;
  /** Rejected readings that are kept for {@link Client.setAside}. */
  setAside: number;
  /** Readings that `put` rejected with `spool_full`, and files that were broken: since the client was opened. */
  overflowed: number;
  brokenFiles: number;
  /** `waiting`: for the next attempt. `blocked`: the same after a response such as 401, which a person has to look at. */
  state: 'idle' | 'sending' | 'waiting' | 'blocked';
  lastSuccessAt: string | null;
  lastError: Problem | null;
  /** Time of ingest minus time of this machine. */
  clockOffsetMs: number | null;
}

export interface RejectedReading {
  reading: Required<Reading> & { timestamp: string };
  /** An error code of ingest. */
  code: string;
  error: string;
}

import type { ClientErrorCode } from '../client-error.ts';
import type { Problem } from '../options.ts';

/** Lists of readings that share a commit. Flat arrays, because each object costs a microsecond on the way to the worker. */
export interface Group {
  bodies: string[];
  /** Readings of each list. */
  counts: number[];
  isBackfill: boolean[];
}

export type Request = { id: number } & (
  | { group: Group }
  | { call: 'status' | 'setAside' | 'requeue' }
  | { closeAfterMs: number }
);

/** The one with id 0 comes when the spool is open. */
export type Reply =
  | { id: number; result: unknown }
  | { id: number; error: { code: ClientErrorCode; message: string } }
  | { problem: Problem };

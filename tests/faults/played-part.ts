/** One part of a row that was played to its end: a line of the record. */
export interface PlayedPart {
  date: string;
  commit: string;
  /** Runnable processes of the machine in the minute before, on average; not kept before 2026-11-21 14:00. */
  load?: number;
  row: string;
  part: string;
  acknowledged: number;
  stored: number;
  missing: number;
  doubled: number;
  changed: number;
  /** Responses other than 200. */
  rejected: Record<string, number>;
  slowestAnswerMs: number;
  longestOutageMs: number;
  figures: Record<string, number>;
  problems: string[];
}

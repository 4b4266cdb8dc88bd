/** Options of the command line. */
export interface BenchOptions {
  /** Length of each measurement under load. Its warm-up takes as long. */
  seconds: number;
  /** How often each candidate is measured, one after the other: A B A B. */
  pairs: number;
}

/** A cell is a figure or a name. */
export type Row = Record<string, string | number>;

export interface Table {
  /** How it was measured, in a sentence or two for docs/performance.md. */
  note: string;
  rows: Row[];
}

export interface BenchResult {
  tables: Table[];
  /** For the summary in docs/performance.md. */
  figures: Record<string, number>;
}

export interface Bench {
  /** One line for the list of benches. */
  what: string;
  run(options: BenchOptions): Promise<BenchResult>;
}

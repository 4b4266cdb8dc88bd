/** How a process came to its end. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** One started process (or, behind the same port, a container). */
export interface RunningProcess {
  readonly pid: number;
  /** Resolves when it has ended, for whatever reason. Never rejects. */
  readonly exited: Promise<Exit>;
  /** Resolves once it serves clients. Rejects when it exits before or takes too long. */
  ready(): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Stops it gracefully, and kills it when it takes too long. */
  stop(): Promise<void>;
}

/** Something that the supervisor starts and starts again when it dies. */
export interface Startable {
  /** Unique within a supervisor: `kafka`, `ingest-1`. */
  readonly name: string;
  /** What it is: the key in `run.json` under which its process id stands. */
  readonly kind: string;
  start(): Promise<RunningProcess>;
}

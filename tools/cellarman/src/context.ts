import type { Settings } from './config.ts';
import type { ExitCode } from './failure.ts';

/** What every command gets from outside. */
export interface Context {
  settings: Settings;
  /** Results, and nothing else: they can be piped. Waits while the reader is slow. */
  print: (line: string) => Promise<void>;
  /** Everything that is for the person who watches. */
  tell: (line: string) => void;
  /** Where progress shows. */
  terminal: NodeJS.WriteStream;
  /** Aborted by Ctrl-C. */
  interrupted: AbortSignal;
  /** What the command ends with unless it throws. */
  exitCode: ExitCode;
}

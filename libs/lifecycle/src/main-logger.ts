// Not the whole of it: a process that only checks its configuration needs no metrics.
import { describeError, hideUrlCredentials } from '@cellarman/telemetry/describe-error';

/** The part of a pino logger that the process itself needs. */
export interface MainLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
  fatal(details: object, message: string): void;
}

/** JSON lines on stderr, for what happens before the service has its own logger. */
export function stderrLogger(name: string): MainLogger {
  const write = (level: string) => (details: object, message: string) => {
    const line = { level, time: new Date().toISOString(), service: name, ...readable(details), msg: message };
    process.stderr.write(`${hideUrlCredentials(JSON.stringify(line))}\n`);
  };
  return { info: write('info'), warn: write('warn'), error: write('error'), fatal: write('fatal') };
}

/** An error has no enumerable fields, JSON would print {}. */
function readable(details: object): object {
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) => [
      key,
      value instanceof Error ? describeError(value) : value,
    ]),
  );
}

/** The error of one of our services in its log: a line of JSON. */
interface LoggedError {
  level?: string;
  msg?: string;
  err?: { message?: string };
}

/** What a program said last, fit to be read in a terminal: the fatal error of a service, else the last lines. */
export function lastLines(output: string, lines = 6): string {
  const last = output.trimEnd().split('\n').slice(-lines);
  const fatal = last.map(asFatal).filter((message) => message !== undefined);
  return (fatal.length > 0 ? fatal : last).map((line) => `  ${line}`).join('\n');
}

function asFatal(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const { level, msg, err } = JSON.parse(line) as LoggedError;
    return level === 'fatal' ? [msg, err?.message].filter(Boolean).join(': ') : undefined;
  } catch {
    return undefined;
  }
}

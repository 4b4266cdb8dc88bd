import type { DestinationStream } from 'pino';

/** A stdout that keeps its lines. */
export function keepLines(): {
  stdout: DestinationStream;
  lines: string[];
  entries: () => Record<string, unknown>[];
} {
  const lines: string[] = [];
  return {
    stdout: { write: (line: string) => void lines.push(line) },
    lines,
    entries: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

import { DEAD_LETTER_HEADERS } from '@cellarman/contracts';
import { readMessages } from './read-hour.ts';
import type { TopicSource } from './read-hour.ts';

export interface Origin {
  partition: number;
  offset: number;
}

/** Finds out which messages are in the dead-letter topic. It is read only if there are any to look for. */
export async function findDeadLetters(
  source: TopicSource,
  wanted: { origin: string; since: number; origins: readonly Origin[] },
): Promise<(origin: Origin) => boolean> {
  const missing = new Set(wanted.origins.map(nameOf));
  const found = new Set<string>();
  if (missing.size === 0) return () => false;
  const range = { from: { timestampMs: wanted.since }, to: 'end' } as const;
  for await (const { messages } of readMessages(source, range)) {
    for (const { headers } of messages) {
      if (textOf(headers?.[DEAD_LETTER_HEADERS.topic]) !== wanted.origin) continue;
      const name = `${textOf(headers?.[DEAD_LETTER_HEADERS.partition])}:${textOf(headers?.[DEAD_LETTER_HEADERS.offset])}`;
      if (missing.delete(name)) found.add(name);
    }
    if (missing.size === 0) break;
  }
  return (origin) => found.has(nameOf(origin));
}

function nameOf({ partition, offset }: Origin): string {
  return `${partition}:${offset}`;
}

function textOf(header: unknown): string {
  return header instanceof Buffer ? header.toString('latin1') : '';
}

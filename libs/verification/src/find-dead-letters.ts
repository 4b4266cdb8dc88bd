import { DEAD_LETTER_HEADERS } from '@cellarman/contracts';

/** A message of the readings topic. */
export interface Origin {
  partition: number;
  offset: number | string;
}

interface DeadLetters {
  messages: readonly { headers?: Readonly<Record<string, unknown>> | undefined }[];
}

/** Finds out which messages are in the dead-letter topic. It is read only if there are any to look for. */
export async function findDeadLetters(
  deadLetters: AsyncIterable<DeadLetters>,
  wanted: { topic: string; origins: readonly Origin[] },
): Promise<(origin: Origin) => boolean> {
  const missing = new Set(wanted.origins.map(nameOf));
  const found = new Set<string>();
  if (missing.size === 0) return () => false;
  for await (const { messages } of deadLetters) {
    for (const { headers } of messages) {
      const [topic, partition, offset] = (['topic', 'partition', 'offset'] as const).map((name) => {
        const value = headers?.[DEAD_LETTER_HEADERS[name]];
        return value instanceof Buffer ? value.toString('latin1') : '';
      });
      const name = `${partition}:${offset}`;
      if (topic === wanted.topic && missing.delete(name)) found.add(name);
    }
    if (missing.size === 0) break;
  }
  return (origin) => found.has(nameOf(origin));
}

function nameOf({ partition, offset }: Origin): string {
  return `${partition}:${offset}`;
}

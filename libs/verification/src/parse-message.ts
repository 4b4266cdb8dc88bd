import { CELLAR_PATTERN, TIMESTAMP_PATTERN } from '@cellarman/reading';
import type { ReadingFields } from './reading-identity.ts';

export interface ParsedMessage {
  reading: ReadingFields;
  /** Milliseconds since 1970; NaN: the message has no valid time of receipt. */
  receivedAt: number;
}

const CELLAR = new RegExp(CELLAR_PATTERN);
const TIMESTAMP = new RegExp(TIMESTAMP_PATTERN);

type Fields = Partial<Record<keyof ReadingFields | 'received_at', unknown>> | null;

/** Returns undefined for a value that is not a reading. Parses independently of the sink: a common bug would stay unseen. */
export function parseMessage(value: Buffer | null): ParsedMessage | undefined {
  if (value === null) return undefined;
  let fields: Fields;
  try {
    fields = JSON.parse(value.toString('utf8')) as Fields;
  } catch {
    return undefined;
  }
  // `null` is JSON too.
  const { cellar, rack, keg, value: number, timestamp, received_at: receivedAt } = fields ?? {};
  const isReading =
    typeof cellar === 'string' &&
    CELLAR.test(cellar) &&
    typeof rack === 'string' &&
    rack !== '' &&
    typeof keg === 'string' &&
    keg !== '' &&
    typeof number === 'number' &&
    Number.isFinite(number) &&
    typeof timestamp === 'string' &&
    TIMESTAMP.test(timestamp);
  if (!isReading) return undefined;
  return {
    reading: { cellar, rack, keg, value: number, timestamp },
    receivedAt: typeof receivedAt === 'string' ? Date.parse(receivedAt) : NaN,
  };
}

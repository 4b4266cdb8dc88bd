import { logLevel } from 'kafkajs';
import type { LogEntry } from 'kafkajs';

/** The part of pino that this package uses. */
export interface KafkaLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** For programs whose own output is what counts, such as a report or a test. */
export const silentLogger: KafkaLogger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};

/**
 * Only these fields of kafkajs's entries are passed on: they say who, where and how often. The others can
 * hold payloads, stacks or what a future version adds, and a log must not leak a secret.
 */
const FIELDS = [
  'broker',
  'error',
  'groupId',
  'groupProtocol',
  'memberId',
  'offset',
  'partition',
  'retryCount',
  'retryTime',
  'topic',
] as const;

/** One line per text is enough within this time; a lost broker otherwise writes hundreds. */
const REPEAT_MS = 5_000;
const MAX_REMEMBERED = 200;

export function createKafkajsLog(logger: KafkaLogger): (entry: LogEntry) => void {
  const lastWritten = new Map<string, number>();

  return ({ level, namespace, log }) => {
    const text = `kafkajs ${namespace}: ${log.message}`;
    const now = Date.now();
    if (now - (lastWritten.get(text) ?? 0) < REPEAT_MS) return;
    if (lastWritten.size >= MAX_REMEMBERED) lastWritten.clear();
    lastWritten.set(text, now);

    const fields: Record<string, string | number> = {};
    for (const name of FIELDS) {
      const value: unknown = log[name];
      if (typeof value === 'string' || typeof value === 'number') fields[name] = value;
    }
    // kafkajs calls every failed try an error. Our callers log the outcome, so here it is a warning.
    if (level === logLevel.ERROR || level === logLevel.WARN) logger.warn(fields, text);
    else if (level === logLevel.INFO) logger.info(fields, text);
    else logger.debug(fields, text);
  };
}

import type { DiagLogger } from '@opentelemetry/api';
import type { Logger } from './logger.ts';

/** One line per text is enough within this time: a collector that is away fails every batch. */
const REPEAT_MS = 60_000;
const MAX_REMEMBERED = 100;

export interface SdkReport {
  diagLogger: DiagLogger;
  /** Gets what an export fails with, among others. */
  onError: (error: unknown) => void;
}

/** Logs what the SDK has to say. Losing spans loses no readings: a warning at most. */
export function createSdkReport(logger: Logger): SdkReport {
  const lastLogged = new Map<string, number>();

  function isRepeated(text: string): boolean {
    const now = performance.now();
    if (now - (lastLogged.get(text) ?? -Infinity) < REPEAT_MS) return true;
    if (lastLogged.size >= MAX_REMEMBERED) lastLogged.clear();
    lastLogged.set(text, now);
    return false;
  }

  const write =
    (level: 'warn' | 'info' | 'debug') =>
    (message: string, ...details: unknown[]) => {
      if (!isRepeated(message)) {
        logger[level](
          details.length === 0 ? {} : { details: details.map(readable) },
          `OpenTelemetry: ${message}`,
        );
      }
    };
  return {
    diagLogger: {
      error: write('warn'),
      warn: write('warn'),
      info: write('info'),
      debug: write('debug'),
      verbose: write('debug'),
    },
    onError(error) {
      const reason = reasonOf(error);
      if (isRepeated(reason)) return;
      logger.warn({ reason }, 'telemetry could not be exported and is lost');
    },
  };
}

/** A connection refused on IPv4 and on IPv6 is an error with a code and no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : JSON.stringify(error);
  return error.message === '' ? String((error as NodeJS.ErrnoException).code) : error.message;
}

/** Errors have no enumerable fields, JSON would print {}. */
function readable(detail: unknown): unknown {
  return detail instanceof Error ? { type: detail.name, message: detail.message } : detail;
}

import type { Outcome } from './outcome.ts';
import { createLatencies } from './latencies.ts';
import type { Answer } from './post.ts';

/** Figures of a run, so far or at its end. */
export interface Figures {
  seconds: number;
  /** Readings that were begun. */
  sent: number;
  accepted: number;
  inFlight: number;
  /** Responses other than success, by code; a retried reading can have several. */
  rejections: Record<string, number>;
  /** Readings that were given up, by outcome and code. */
  undelivered: Record<string, number>;
  acceptedPerSecond: number;
  /** Of accepted requests, in milliseconds. */
  p50Ms: number;
  p99Ms: number;
}

export interface Tally {
  begun(): void;
  answered(answer: Answer, ms: number): void;
  ended(outcome: Outcome): void;
  figures(): Figures;
}

export function createTally(): Tally {
  const startedAt = performance.now();
  const latencies = createLatencies();
  const rejections: Record<string, number> = {};
  const undelivered: Record<string, number> = {};
  let sent = 0;
  let accepted = 0;
  let ended = 0;
  return {
    begun: () => (sent += 1),
    answered({ status, code }, ms) {
      if (status >= 200 && status < 300) latencies.add(ms);
      else rejections[code] = (rejections[code] ?? 0) + 1;
    },
    ended(outcome) {
      ended += 1;
      if (outcome.outcome === 'acknowledged') accepted += 1;
      else {
        const name = `${outcome.outcome} ${outcome.code}`;
        undelivered[name] = (undelivered[name] ?? 0) + 1;
      }
    },
    figures() {
      const seconds = (performance.now() - startedAt) / 1000;
      return {
        seconds,
        sent,
        accepted,
        inFlight: sent - ended,
        rejections: { ...rejections },
        undelivered: { ...undelivered },
        acceptedPerSecond: accepted / seconds,
        p50Ms: latencies.quantile(0.5),
        p99Ms: latencies.quantile(0.99),
      };
    },
  };
}

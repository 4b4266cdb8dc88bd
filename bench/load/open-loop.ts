import { createHistogram } from 'node:perf_hooks';
import type { RecordableHistogram } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from './connection.ts';
import type { Response } from './connection.ts';
import { createRequests } from './requests.ts';
import type { RequestKind, Sender } from './requests.ts';

export interface Rate {
  /** Origin, such as `http://127.0.0.1:4000`. */
  url: string;
  connections: number;
  perSecond: number;
  /** Not counted. @default 0 */
  warmUpSeconds?: number;
  seconds: number;
  /** A connection that was rejected stays silent for as long as Retry-After says; the others send its part. @default false */
  obeysRetryAfter?: boolean;
}

export interface OpenLoop extends Rate {
  /** Returns the whole request as bytes; `dueMs` is when it should be sent, by performance.now(). */
  request(number: number, dueMs: number): Buffer;
}

/** Milliseconds. */
export interface Latency {
  p50: number;
  p99: number;
  p999: number;
  max: number;
}

export interface OpenLoopReport {
  accepted: number;
  rejected: number;
  /** Responses by status. */
  statuses: Record<string, number>;
  /** Connections that were closed before their response. */
  broken: number;
  /** Rejections with 429 or 503 without the header. */
  withoutRetryAfter: number;
  /** Without a response at the end. */
  unanswered: number;
  /** Due and never sent, because every connection was busy or silent. */
  unsent: number;
  /** From when the request was due, and from when it was sent. */
  acceptedLatency: { due: Latency; sent: Latency };
  rejectedLatency: { due: Latency; sent: Latency };
}

const CONNECTING_AT_A_TIME = 200;
const LAST_RESPONSES_MS = 15_000;
const MICROSECONDS = 1_000;

/**
 * Sends requests at a steady rate, whether or not responses come. A request that finds every connection busy waits for one,
 * and its latency counts from when it was due, so that a stall of the service is not left out because nothing was sent
 * meanwhile ("coordinated omission"). Requests leave up to 1 ms late, by Node's timers; that counts too.
 */
export async function runOpenLoop(options: OpenLoop): Promise<OpenLoopReport> {
  const accepted = { due: histogram(), sent: histogram() };
  const rejected = { due: histogram(), sent: histogram() };
  const statuses: Record<string, number> = {};
  const counts = { broken: 0, withoutRetryAfter: 0 };
  // Taken from the front, the one that has rested longest; `first` instead of shift(), which copies long arrays.
  let resting: Connection[] = [];
  let first = 0;
  let pending = 0;
  let countFromMs = Infinity;

  const rest = (connection: Connection) => void resting.push(connection);
  function onResponse(connection: Connection, response: Response): void {
    pending--;
    if (connection.dueMs >= countFromMs) count(connection, response);
    if (options.obeysRetryAfter === true && response.retryAfterSeconds > 0) {
      setTimeout(rest, response.retryAfterSeconds * 1_000, connection).unref();
    } else rest(connection);
  }
  function count({ dueMs, sentMs }: Connection, { status, retryAfterSeconds }: Response): void {
    const now = performance.now();
    statuses[status] = (statuses[status] ?? 0) + 1;
    if ((status === 429 || status === 503) && retryAfterSeconds === 0) counts.withoutRetryAfter++;
    const { due, sent } = status === 200 ? accepted : rejected;
    due.record(microseconds(now - dueMs));
    sent.record(microseconds(now - sentMs));
  }
  function onBroken(connection: Connection): void {
    pending--;
    if (connection.dueMs >= countFromMs) counts.broken++;
    // Not immediately: a service that is down would be called without a pause.
    setTimeout(rest, 100, connection).unref();
  }

  const { url, connections: size } = options;
  const connections = Array.from({ length: size }, () => new Connection({ url, onResponse, onBroken }));
  for (let at = 0; at < size; at += CONNECTING_AT_A_TIME) {
    await Promise.all(
      connections.slice(at, at + CONNECTING_AT_A_TIME).map((connection) => connection.open()),
    );
  }
  resting.push(...connections);

  const startMs = performance.now();
  countFromMs = startMs + (options.warmUpSeconds ?? 0) * 1_000;
  const endMs = countFromMs + options.seconds * 1_000;
  const everyMs = 1_000 / options.perSecond;
  const total = Math.floor((endMs - startMs) / everyMs);
  const dueNow = () => Math.min(total, Math.floor((performance.now() - startMs) / everyMs) + 1);
  let taken = 0;
  let isWarm = false;
  while (performance.now() < endMs) {
    if (!isWarm && performance.now() >= countFromMs) {
      isWarm = true;
      // What the warm-up did not send is not owed.
      taken = dueNow();
    }
    for (const until = dueNow(); taken < until && first < resting.length; taken++) {
      const dueMs = startMs + taken * everyMs;
      pending++;
      (resting[first++] as Connection).send(options.request(taken, dueMs), dueMs);
    }
    if (first > 1_000 && first * 2 > resting.length) {
      resting = resting.slice(first);
      first = 0;
    }
    await delay(1);
  }
  const unsent = total - taken;
  const giveUpMs = performance.now() + LAST_RESPONSES_MS;
  while (pending > 0 && performance.now() < giveUpMs) await delay(10);
  for (const connection of connections) connection.close();
  return {
    ...{ accepted: accepted.due.count, rejected: rejected.due.count },
    ...{ statuses, ...counts, unanswered: pending, unsent },
    acceptedLatency: { due: latency(accepted.due), sent: latency(accepted.sent) },
    rejectedLatency: { due: latency(rejected.due), sent: latency(rejected.sent) },
  };
}

function histogram(): RecordableHistogram {
  return createHistogram({ lowest: 1, highest: 600_000_000, figures: 3 });
}

function microseconds(ms: number): number {
  return Math.max(1, Math.round(ms * MICROSECONDS));
}

function latency(of: RecordableHistogram): Latency {
  const percentile = (percent: number) => of.percentile(percent) / MICROSECONDS;
  return { p50: percentile(50), p99: percentile(99), p999: percentile(99.9), max: of.max / MICROSECONDS };
}

if (import.meta.main) {
  const options = JSON.parse(process.argv[2] ?? '{}') as Rate & Sender & { kind: RequestKind };
  const report = await runOpenLoop({ ...options, request: createRequests(options, options.kind) });
  process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit());
}

import { setTimeout as delay } from 'node:timers/promises';
import { build, encodeIntoCompressedBase64 } from 'hdr-histogram-js';
import type { Histogram } from 'hdr-histogram-js';
import { createArrivals } from './arrivals.ts';
import { Device } from './device.ts';
import type { Answer } from './device.ts';
import { requestBytes } from './requests.ts';
import type { RequestKind } from './requests.ts';

export interface OpenLoopOptions {
  /** Origin, such as `http://127.0.0.1:4000`. */
  url: string;
  apiKey: string;
  cellar: string;
  kind: RequestKind;
  connections: number;
  perSecond: number;
  /** Not counted. */
  warmUpSeconds: number;
  seconds: number;
  /** Whether a refused device stays silent as long as Retry-After says; its part is sent by the others. */
  obeysRetryAfter: boolean;
}

/** Histograms are in microseconds, as compressed base64. */
export interface OpenLoopReport {
  sent: number;
  statuses: Record<string, number>;
  broken: number;
  /** Refusals with 429 or 503 that did not say when to come back. */
  withoutRetryAfter: number;
  /** Still without an answer at the end, or due and never sent because every connection was busy. */
  unanswered: number;
  unsent: number;
  acceptedFromDue: string;
  acceptedFromSent: string;
  refusedFromDue: string;
  refusedFromSent: string;
}

const REQUESTS = 2_000;
const CONNECTING_AT_A_TIME = 200;
const LAST_ANSWERS_MS = 10_000;
const MICROSECONDS = 1_000;

/** Sends at a given rate whatever the service does. A request goes out on the connection that has rested longest. */
async function runOpenLoop(options: OpenLoopOptions): Promise<OpenLoopReport> {
  const { hostname, port } = new URL(options.url);
  const requests = requestBytes(options, REQUESTS);
  const histograms = {
    acceptedFromDue: hdr(),
    acceptedFromSent: hdr(),
    refusedFromDue: hdr(),
    refusedFromSent: hdr(),
  };
  const report = { sent: 0, statuses: {} as Record<string, number>, broken: 0, withoutRetryAfter: 0 };
  const resting: Device[] = [];
  let firstResting = 0;
  let busy = 0;
  let countFromMs = Infinity;

  const rest = (device: Device) => void resting.push(device);
  function onAnswer(device: Device, answer: Answer): void {
    busy--;
    count(device, answer);
    if (options.obeysRetryAfter && answer.retryAfterSeconds > 0) {
      setTimeout(rest, answer.retryAfterSeconds * 1_000, device).unref();
    } else rest(device);
  }
  function count(device: Device, { status, retryAfterSeconds }: Answer): void {
    if (device.sentMs < countFromMs) return;
    const now = performance.now();
    report.statuses[status] = (report.statuses[status] ?? 0) + 1;
    const accepted = status < 300;
    if (!accepted && retryAfterSeconds === 0 && (status === 503 || status === 429))
      report.withoutRetryAfter++;
    record(accepted ? histograms.acceptedFromDue : histograms.refusedFromDue, now - device.dueMs);
    record(accepted ? histograms.acceptedFromSent : histograms.refusedFromSent, now - device.sentMs);
  }
  function onBroken(device: Device): void {
    busy--;
    if (device.sentMs >= countFromMs) report.broken++;
    rest(device);
  }

  const devices = Array.from(
    { length: options.connections },
    () => new Device({ host: hostname, port: Number(port), onAnswer, onBroken }),
  );
  for (let at = 0; at < devices.length; at += CONNECTING_AT_A_TIME) {
    await Promise.all(devices.slice(at, at + CONNECTING_AT_A_TIME).map((device) => device.connect()));
  }
  resting.push(...devices);

  const startMs = performance.now();
  countFromMs = startMs + options.warmUpSeconds * 1_000;
  const endMs = countFromMs + options.seconds * 1_000;
  const arrivals = createArrivals({ startMs, endMs, perSecond: options.perSecond });
  let isWarm = false;
  while (performance.now() < endMs) {
    const now = performance.now();
    if (!isWarm && now >= countFromMs) {
      isWarm = true;
      arrivals.skip(now);
    }
    for (let due = arrivals.due(now); due > 0 && firstResting < resting.length; due--) {
      const device = resting[firstResting++] as Device;
      busy++;
      const dueMs = arrivals.take();
      if (isWarm) report.sent++;
      device.send(requests[arrivals.taken % REQUESTS] as Buffer, dueMs);
    }
    if (firstResting > 1_000 && firstResting * 2 > resting.length) {
      resting.splice(0, firstResting);
      firstResting = 0;
    }
    await delay(1);
  }
  const unsent = arrivals.due(performance.now());
  const givenUpMs = performance.now() + LAST_ANSWERS_MS;
  while (busy > 0 && performance.now() < givenUpMs) await delay(10);
  for (const device of devices) device.close();
  const encoded = Object.fromEntries(
    Object.entries(histograms).map(([name, histogram]) => [name, encodeIntoCompressedBase64(histogram)]),
  ) as Record<keyof typeof histograms, string>;
  return { ...report, unanswered: busy, unsent, ...encoded };
}

function hdr(): Histogram {
  return build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: 600_000_000,
    numberOfSignificantValueDigits: 3,
  });
}

function record(histogram: Histogram, ms: number): void {
  histogram.recordValue(Math.max(1, Math.round(ms * MICROSECONDS)));
}

if (import.meta.main) {
  const report = await runOpenLoop(JSON.parse(process.argv[2] ?? '{}') as OpenLoopOptions);
  process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit());
}

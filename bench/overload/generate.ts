import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build, decodeFromCompressedBase64 } from 'hdr-histogram-js';
import type { Histogram } from 'hdr-histogram-js';
import type { OpenLoopOptions, OpenLoopReport } from './open-loop.ts';

export interface Generated {
  sent: number;
  accepted: number;
  refused: number;
  statuses: Record<string, number>;
  broken: number;
  withoutRetryAfter: number;
  unanswered: number;
  unsent: number;
  acceptedPerSecond: number;
  /** Milliseconds from when the request was due, and from when it was sent. */
  accepted99: { due: number; sent: number };
  refused99: { due: number; sent: number };
}

const MICROSECONDS = 1_000;

/** Sends at a given rate from processes of their own, each with its part of the connections. */
export async function generate(options: OpenLoopOptions, processes = 1): Promise<Generated> {
  const part = {
    ...options,
    connections: Math.ceil(options.connections / processes),
    perSecond: options.perSecond / processes,
  };
  const reports = await Promise.all(Array.from({ length: processes }, () => runInItsOwnProcess(part)));
  const sum = (count: (report: OpenLoopReport) => number) =>
    reports.reduce((total, report) => total + count(report), 0);
  const p99 = (name: 'acceptedFromDue' | 'acceptedFromSent' | 'refusedFromDue' | 'refusedFromSent') =>
    merged(reports.map((report) => report[name])).getValueAtPercentile(99) / MICROSECONDS;
  const statuses: Record<string, number> = {};
  for (const report of reports) {
    for (const [status, count] of Object.entries(report.statuses))
      statuses[status] = (statuses[status] ?? 0) + count;
  }
  const accepted = statuses['200'] ?? 0;
  return {
    sent: sum(({ sent }) => sent),
    accepted,
    refused: Object.values(statuses).reduce((total, count) => total + count, 0) - accepted,
    statuses,
    broken: sum(({ broken }) => broken),
    withoutRetryAfter: sum(({ withoutRetryAfter }) => withoutRetryAfter),
    unanswered: sum(({ unanswered }) => unanswered),
    unsent: sum(({ unsent }) => unsent),
    acceptedPerSecond: accepted / options.seconds,
    accepted99: { due: p99('acceptedFromDue'), sent: p99('acceptedFromSent') },
    refused99: { due: p99('refusedFromDue'), sent: p99('refusedFromSent') },
  };
}

async function runInItsOwnProcess(options: OpenLoopOptions): Promise<OpenLoopReport> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'open-loop.ts'), JSON.stringify(options)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return JSON.parse(output) as OpenLoopReport;
}

function merged(encoded: readonly string[]): Histogram {
  const all = build({ numberOfSignificantValueDigits: 3 });
  for (const one of encoded) all.add(decodeFromCompressedBase64(one));
  return all;
}

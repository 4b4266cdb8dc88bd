import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { post, readingBody } from './requests.ts';
import type { Sender } from './requests.ts';

export interface HeldOptions extends Sender {
  behaviour: 'idle' | 'trickles headers' | 'trickles body';
  connections: number;
  /** An IP address has about 28,000 ports, and those just used rest for a minute. */
  localAddress: string;
}

export interface HeldReport {
  /** Connections that the service has closed, and how long the longest and the shortest lasted. */
  cut: number;
  longestMs: number;
  shortestMs: number;
  /** Responses that came before, by status. */
  statuses: Record<string, number>;
}

const CONNECTING_AT_A_TIME = 100;
const TRICKLE_MS = 1_000;

/** Holds connections open in a process of its own while `work` runs. */
export async function whileHolding(options: HeldOptions, work: () => Promise<unknown>): Promise<HeldReport> {
  const child = spawn(process.execPath, [import.meta.filename, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  try {
    await lines.next();
    await work();
    child.stdin.write('end\n');
    const { value } = await lines.next();
    return JSON.parse(String(value)) as HeldReport;
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}

/** Returns another loopback IP address on each call, so that no port was used a moment ago. */
export function createLoopbackAddresses(): () => string {
  let last = 1;
  return () => `127.0.0.${++last}`;
}

/**
 * Connections that cost a service something and bring nothing: they were used once and are idle, or they send a byte a second.
 * A slow one that is cut connects again immediately.
 */
async function hold(options: HeldOptions): Promise<void> {
  const { hostname, port } = new URL(options.url);
  const whole = post(options, readingBody(options.cellar, 'rack-1', 1));
  const unfinished =
    options.behaviour === 'trickles body'
      ? whole.subarray(0, whole.indexOf('\r\n\r\n') + 4)
      : 'POST /api/v1/ingest HTTP/1.1\r\nHost: bench\r\n';
  const report: HeldReport = { cut: 0, longestMs: 0, shortestMs: Infinity, statuses: {} };
  let isEnding = false;

  function open(): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect({ host: hostname, port: Number(port), localAddress: options.localAddress });
      socket.on('error', () => undefined);
      socket.once('close', resolve);
      if (options.behaviour === 'idle') {
        socket.once('connect', () => socket.write(whole));
        socket.once('data', () => resolve());
      } else {
        socket.once('connect', () => {
          trickle(socket);
          resolve();
        });
      }
    });
  }

  function trickle(socket: Socket): void {
    const startedMs = performance.now();
    socket.write(unfinished);
    const timer = setInterval(() => socket.write('x'), TRICKLE_MS);
    socket.on('data', (response) => {
      const status = response.toString('latin1', 9, 12);
      report.statuses[status] = (report.statuses[status] ?? 0) + 1;
    });
    socket.once('close', () => {
      clearInterval(timer);
      if (isEnding) return;
      const lastedMs = performance.now() - startedMs;
      report.cut++;
      report.longestMs = Math.max(report.longestMs, lastedMs);
      report.shortestMs = Math.min(report.shortestMs, lastedMs);
      void open();
    });
  }

  for (let opened = 0; opened < options.connections; opened += CONNECTING_AT_A_TIME) {
    const length = Math.min(CONNECTING_AT_A_TIME, options.connections - opened);
    await Promise.all(Array.from({ length }, open));
    await delay(1);
  }
  process.stdout.write('ready\n');
  process.stdin.once('data', () => {
    isEnding = true;
    process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit());
  });
}

if (import.meta.main) await hold(JSON.parse(process.argv[2] ?? '{}') as HeldOptions);

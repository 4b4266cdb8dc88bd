import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { requestBytes } from './requests.ts';
import type { RequestOptions } from './requests.ts';

export type Behaviour = 'idle' | 'trickles headers' | 'trickles body';

export interface HeldOptions extends RequestOptions {
  behaviour: Behaviour;
  connections: number;
  /** One address has about 28,000 ports, and those just used rest for a minute. */
  localAddress: string;
}

/** What it says on its standard output when it is told to end. */
export interface HeldReport {
  /** Connections that the service has closed, and how long the longest and the shortest lasted. */
  cut: number;
  longestMs: number;
  shortestMs: number;
  /** How many of those got an answer first, by status. */
  statuses: Record<string, number>;
}

const CONNECTING_AT_A_TIME = 100;
const TRICKLE_MS = 1_000;
const UNFINISHED_HEADERS = 'POST /api/v1/ingest HTTP/1.1\r\nHost: bench\r\n';

/**
 * Connections that cost a service something and bring nothing: they were used once and rest, or they send a byte in a second.
 * A slow one that is cut comes back at once.
 */
async function hold(options: HeldOptions): Promise<void> {
  const { hostname, port } = new URL(options.url);
  const [whole] = requestBytes(options, 1) as [Buffer];
  const headerEnd = whole.indexOf('\r\n\r\n') + 4;
  const report: HeldReport = { cut: 0, longestMs: 0, shortestMs: Infinity, statuses: {} };
  let isEnding = false;

  function open(): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect({ host: hostname, port: Number(port), localAddress: options.localAddress });
      socket.on('error', () => undefined);
      if (options.behaviour === 'idle') {
        socket.once('connect', () => socket.write(whole));
        socket.once('data', () => resolve());
      } else {
        socket.once('connect', () => {
          trickle(socket);
          resolve();
        });
      }
      socket.once('close', resolve);
    });
  }

  function trickle(socket: Socket): void {
    const startedMs = performance.now();
    const first = options.behaviour === 'trickles body' ? whole.subarray(0, headerEnd) : UNFINISHED_HEADERS;
    socket.write(first);
    const timer = setInterval(() => socket.write('x'), TRICKLE_MS);
    socket.on('data', (answer) => {
      const status = answer.toString('latin1', 9, 12);
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
    await Promise.all(
      Array.from({ length: Math.min(CONNECTING_AT_A_TIME, options.connections - opened) }, open),
    );
    await delay(1);
  }
  process.stdout.write('ready\n');
  process.stdin.once('data', () => {
    isEnding = true;
    process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit());
  });
}

await hold(JSON.parse(process.argv[2] ?? '{}') as HeldOptions);

import pc from 'picocolors';
import type { Figures } from './tally.ts';

export interface Progress {
  stop(): void;
}

/** A line that renews itself on a terminal, and a line every few seconds elsewhere. */
export function showProgress(figures: () => Figures, output: NodeJS.WriteStream): Progress {
  const everyMs = output.isTTY ? 250 : 5_000;
  const timer = setInterval(() => {
    const line = progressLine(figures());
    output.write(output.isTTY ? `\r\u001B[2K${line.slice(0, output.columns - 1)}` : `${line}\n`);
  }, everyMs);
  return {
    stop() {
      clearInterval(timer);
      if (output.isTTY) output.write('\r\u001B[2K');
    },
  };
}

function progressLine(figures: Figures): string {
  return [
    `${figures.seconds.toFixed(0)} s`,
    `sent ${count(figures.sent)}`,
    `accepted ${count(figures.accepted)}`,
    `${count(Math.round(figures.acceptedPerSecond))}/s`,
    `in flight ${figures.inFlight}`,
    `p50 ${milliseconds(figures.p50Ms)}`,
    `p99 ${milliseconds(figures.p99Ms)}`,
    `rejected ${byCode(figures.rejections)}`,
  ].join('  ');
}

/** For the end of a run. */
export function summaryText(figures: Figures): string {
  const isComplete = figures.accepted === figures.sent;
  const verdict = isComplete
    ? pc.green(`All ${count(figures.sent)} readings were acknowledged.`)
    : pc.red(
        `${count(figures.sent - figures.accepted)} of ${count(figures.sent)} readings were not acknowledged.`,
      );
  const rows = [
    ['time', `${figures.seconds.toFixed(1)} s`],
    ['acknowledged', `${count(figures.accepted)} (${count(Math.round(figures.acceptedPerSecond))}/s)`],
    ['response time', `p50 ${milliseconds(figures.p50Ms)}, p99 ${milliseconds(figures.p99Ms)}`],
    ['rejections', byCode(figures.rejections)],
    ['given up', byCode(figures.undelivered)],
  ] as const;
  return [verdict, ...rows.map(([name, value]) => `  ${name.padEnd(16)} ${value}`)].join('\n');
}

function byCode(counts: Record<string, number>): string {
  const entries = Object.entries(counts);
  if (entries.length === 0) return '0';
  return entries.map(([code, number]) => `${code} ${count(number)}`).join(', ');
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}

function milliseconds(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`;
}

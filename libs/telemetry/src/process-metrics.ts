import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Meter } from '@opentelemetry/api';
import { observeGauges } from './gauges.ts';

/** The monitor counts its own timer as delay, and each of its ticks wakes an idle process. */
const RESOLUTION_MS = 50;
/** A delay shows for this long at least and twice as long at most, however many scrape, and also when their scrape was given up. */
const DELAY_WINDOW_MS = 30_000;

/** What an operator looks at first in any Node process: memory, CPU, and whether its event loop is late. */
export function observeProcess(meter: Meter): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let maxBefore = 0;
  const nextWindow = setInterval(() => {
    maxBefore = delay.max;
    delay.reset();
  }, DELAY_WINDOW_MS);
  nextWindow.unref();

  meter
    .createObservableCounter('process_cpu_seconds', { description: 'CPU time used, user and system.' })
    .addCallback((result) => {
      const { user, system } = process.cpuUsage();
      result.observe((user + system) / 1e6);
    });
  observeGauges(meter, '', {
    process_resident_memory_bytes: ['Resident memory.', () => process.memoryUsage.rss()],
    nodejs_heap_used_bytes: ['Heap in use by JavaScript.', () => process.memoryUsage().heapUsed],
    nodejs_eventloop_delay_max_seconds: [
      'The longest block of the event loop in the last 30 to 60 seconds, at most 0.05 s too low.',
      () => Math.max(0, Math.max(delay.max, maxBefore) / 1e9 - RESOLUTION_MS / 1e3),
    ],
    nodejs_eventloop_utilization_ratio: [
      'The share of the time since the start that the event loop was busy, 0 to 1.',
      () => performance.eventLoopUtilization().utilization,
    ],
  });

  return () => {
    clearInterval(nextWindow);
    delay.disable();
  };
}

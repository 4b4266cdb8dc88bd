import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Meter } from '@opentelemetry/api';

/** The monitor counts its own timer as delay. */
const RESOLUTION_MS = 20;

/** What an operator asks first of any Node process: memory, CPU, and whether its event loop is late. */
export function observeProcess(meter: Meter): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();

  meter
    .createObservableCounter('process_cpu_seconds', { description: 'CPU time used, user and system.' })
    .addCallback((result) => {
      const { user, system } = process.cpuUsage();
      result.observe((user + system) / 1e6);
    });
  meter
    .createObservableGauge('process_resident_memory_bytes', { description: 'Resident memory.' })
    .addCallback((result) => result.observe(process.memoryUsage.rss()));
  meter
    .createObservableGauge('nodejs_heap_used_bytes', { description: 'Heap in use by JavaScript.' })
    .addCallback((result) => result.observe(process.memoryUsage().heapUsed));
  meter
    .createObservableGauge('nodejs_eventloop_delay_max_seconds', {
      description: 'The longest time since the last scrape in which the event loop answered nobody.',
    })
    .addCallback((result) => {
      result.observe(Math.max(0, delay.max / 1e9 - RESOLUTION_MS / 1e3));
      delay.reset();
    });
  meter
    .createObservableGauge('nodejs_eventloop_utilization_ratio', {
      description: 'The part of the time since the start that the event loop was busy, 0 to 1.',
    })
    .addCallback((result) => result.observe(performance.eventLoopUtilization().utilization));

  return () => delay.disable();
}

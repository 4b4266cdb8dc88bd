import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Meter } from '@opentelemetry/api';

/** What an operator asks first of any Node process: memory, CPU, and whether its event loop is late. */
export function observeProcess(meter: Meter): () => void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
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
    .createObservableGauge('nodejs_eventloop_delay_p99_seconds', {
      description: 'How late the event loop was, 99th percentile since the last scrape.',
    })
    .addCallback((result) => {
      result.observe(delay.percentile(99) / 1e9);
      delay.reset();
    });

  return () => delay.disable();
}

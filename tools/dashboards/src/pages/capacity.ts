import type { Page } from '../page.ts';
import { of, rate, sumOfRates } from '../promql.ts';

const OURS = 'job=~"cellarman-.+"';

export const capacity: Page = {
  name: 'capacity',
  title: 'Capacity',
  description: 'What the processes take, and how near they are to their bounds.',
  rows: [
    {
      title: 'Processes',
      panels: [
        {
          title: 'CPU',
          description: 'Cores. One process uses little more than one.',
          badFrom: 1,
          queries: [{ expr: rate('process_cpu_seconds_total', OURS), legend: '{{job}} {{instance}}' }],
        },
        {
          title: 'Memory',
          description: 'Resident. The chart limits it.',
          unit: 'bytes',
          queries: [{ expr: of('process_resident_memory_bytes', OURS), legend: '{{job}} {{instance}}' }],
        },
        {
          title: 'Heap of JavaScript',
          description: 'The part of it that JavaScript uses.',
          unit: 'bytes',
          queries: [{ expr: of('nodejs_heap_used_bytes', OURS), legend: '{{job}} {{instance}}' }],
        },
        {
          title: 'Longest time without an answer',
          description: 'How long the event loop answered nobody, at most. An alert fires above a second.',
          unit: 's',
          badFrom: 1,
          queries: [{ expr: of('nodejs_eventloop_delay_max_seconds', OURS), legend: '{{job}} {{instance}}' }],
        },
      ],
    },
    {
      title: 'Room that is left',
      panels: [
        {
          title: 'Event loop',
          description: 'The part of the time since the start that it was busy.',
          unit: 'percentunit',
          badFrom: 0.9,
          queries: [{ expr: of('nodejs_eventloop_utilization_ratio', OURS), legend: '{{job}} {{instance}}' }],
        },
        {
          title: 'Places of ingest that are taken',
          description: 'Of those that there may be now. At 100 % it refuses.',
          unit: 'percentunit',
          badFrom: 1,
          queries: [
            {
              expr: `${of('cellarman_ingest_in_flight')} / ${of('cellarman_ingest_in_flight_limit')}`,
              legend: '{{instance}}',
            },
          ],
        },
        {
          title: 'Readings for each replica of ingest',
          description: 'Readings that each sends to Kafka in a second.',
          unit: 'cps',
          queries: [
            {
              expr: sumOfRates('cellarman_ingest_kafka_send_messages_sum', 'instance'),
              legend: '{{instance}}',
            },
          ],
        },
        {
          title: 'CPU for a reading',
          description: 'CPU time of all of ingest for each reading that it sends to Kafka.',
          unit: 's',
          queries: [
            {
              expr: `${sumOfRates('process_cpu_seconds_total', '', 'job="cellarman-ingest"')} / ${sumOfRates('cellarman_ingest_kafka_send_messages_sum')}`,
              legend: 'ingest',
            },
          ],
        },
      ],
    },
  ],
};

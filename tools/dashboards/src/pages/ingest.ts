import type { Page } from '../page.ts';
import { middleAndWorst, of, sumOfRates } from '../promql.ts';

export const ingest: Page = {
  name: 'ingest',
  title: 'Ingest',
  description: 'From the request of a device to the acknowledgement of Kafka.',
  rows: [
    {
      title: 'Requests',
      panels: [
        {
          title: 'Requests by answer',
          description: '`success`, or the code of the error.',
          unit: 'reqps',
          isStacked: true,
          queries: [
            {
              expr: `${sumOfRates('cellarman_ingest_answers_total', 'outcome')} > 0`,
              legend: '{{outcome}}',
            },
          ],
        },
        {
          title: 'Readings of batches',
          description: 'Rejected ones are named in the answer; the others of their batch are stored.',
          unit: 'cps',
          isStacked: true,
          queries: [
            {
              expr: sumOfRates('cellarman_ingest_batch_readings_total', 'outcome'),
              legend: '{{outcome}}',
            },
          ],
        },
        {
          title: 'Until the acknowledgement',
          description: 'From the receipt of a reading to its acknowledgement by all replicas in sync.',
          unit: 's',
          badFrom: 1,
          queries: middleAndWorst('cellarman_ingest_acknowledge_duration_seconds'),
        },
        {
          title: 'Connections',
          description: 'Open connections of clients.',
          queries: [{ expr: of('cellarman_ingest_connections'), legend: '{{instance}}' }],
        },
      ],
    },
    {
      title: 'Kafka',
      panels: [
        {
          title: 'One send',
          description: 'How long one send to Kafka takes.',
          unit: 's',
          queries: middleAndWorst('cellarman_ingest_kafka_send_duration_seconds'),
        },
        {
          title: 'Readings in one send',
          description: 'More come together when Kafka is slow.',
          queries: middleAndWorst('cellarman_ingest_kafka_send_messages'),
        },
        {
          title: 'Failed sends',
          description: 'By reason. Their readings got 503, and may be stored all the same.',
          unit: 'cps',
          queries: [
            { expr: sumOfRates('cellarman_ingest_kafka_send_failures_total', 'code'), legend: '{{code}}' },
          ],
        },
        {
          title: 'Failing partitions',
          description: 'Partitions whose last send failed. An alert fires above 0.',
          badFrom: 1,
          queries: [{ expr: of('cellarman_ingest_failing_partitions'), legend: '{{instance}}' }],
        },
      ],
    },
    {
      title: 'Redis',
      panels: [
        {
          title: 'One question for tokens',
          description: 'How long a lease of a rate limit takes. After 200 ms a replica limits by itself.',
          unit: 's',
          badFrom: 0.2,
          queries: middleAndWorst('cellarman_ingest_redis_duration_seconds'),
        },
        {
          title: 'Failed questions',
          description: 'Rate limits are not shared then.',
          unit: 'cps',
          queries: [{ expr: sumOfRates('cellarman_ingest_redis_failures_total'), legend: 'questions' }],
        },
      ],
    },
    {
      title: 'Bounds',
      panels: [
        {
          title: 'In flight, and how much may be',
          description: 'Where both meet, ingest refuses. The limit falls when readings take too long.',
          queries: [
            { expr: of('cellarman_ingest_in_flight'), legend: '{{instance}}' },
            { expr: of('cellarman_ingest_in_flight_limit'), legend: 'limit of {{instance}}' },
          ],
        },
        {
          title: 'Refused because of load',
          description:
            'Requests that were refused because more came than could be stored. An alert fires above 1 %.',
          unit: 'reqps',
          queries: [{ expr: sumOfRates('cellarman_ingest_shed_total', 'instance'), legend: '{{instance}}' }],
        },
        {
          title: 'Memory of bodies and of what waits',
          description: 'Bounded by MAX_BODIES_BYTES and MAX_IN_FLIGHT_BYTES.',
          unit: 'bytes',
          queries: [
            { expr: of('cellarman_ingest_body_bytes'), legend: 'bodies, {{instance}}' },
            { expr: of('cellarman_ingest_waiting_bytes'), legend: 'waiting for Kafka, {{instance}}' },
          ],
        },
        {
          title: 'Pause of clients that ignore Retry-After',
          description: 'Above 0: there is no time left to refuse everybody.',
          unit: 's',
          queries: [{ expr: of('cellarman_ingest_refusal_pause_seconds'), legend: '{{instance}}' }],
        },
      ],
    },
  ],
};

import type { Page } from '../page.ts';
import { middleAndWorst, of, quantile, sumOfRates } from '../promql.ts';

const REFUSED = sumOfRates('cellarman_ingest_answers_total', '', 'outcome=~"unavailable|internal_error"');

export const overview: Page = {
  name: 'overview',
  title: 'Overview',
  description: 'Whether readings come, are acknowledged, and can be read back soon.',
  rows: [
    {
      title: 'Now',
      panels: [
        {
          title: 'Alerts',
          description: 'Alerts of Cellarman that fire. Each links to its runbook.',
          kind: 'now',
          badFrom: 1,
          queries: [
            {
              expr: 'count(ALERTS{alertname=~"Cellarman.+",alertstate="firing"}) or vector(0)',
              legend: 'firing',
            },
          ],
        },
        {
          title: 'Readings',
          description: 'Readings that are sent to Kafka in a second.',
          kind: 'now',
          unit: 'cps',
          queries: [{ expr: sumOfRates('cellarman_ingest_kafka_send_messages_sum'), legend: 'readings' }],
        },
        {
          title: 'Not stored',
          description: 'Requests that got 503 or 500. An alert fires above 1 %.',
          kind: 'now',
          unit: 'percentunit',
          badFrom: 0.01,
          queries: [
            { expr: `${REFUSED} / ${sumOfRates('cellarman_ingest_answers_total')}`, legend: 'requests' },
          ],
        },
        {
          title: 'Acknowledged within',
          description: 'From the receipt of a reading to its acknowledgement, for 99 in 100.',
          kind: 'now',
          unit: 's',
          badFrom: 1,
          queries: [
            {
              expr: quantile(0.99, 'cellarman_ingest_acknowledge_duration_seconds'),
              legend: '99 in 100',
            },
          ],
        },
        {
          title: 'Visible within',
          description:
            'From the receipt of the oldest reading of an insert until it can be queried, for 99 in 100.',
          kind: 'now',
          unit: 's',
          badFrom: 10,
          queries: [{ expr: quantile(0.99, 'cellarman_sink_freshness_seconds'), legend: '99 in 100' }],
        },
        {
          title: 'Waiting',
          description: 'Messages in the topic that are not stored yet.',
          kind: 'now',
          queries: [{ expr: `sum(${of('cellarman_sink_lag_messages')})`, legend: 'messages' }],
        },
      ],
    },
    {
      title: 'The way of a reading',
      panels: [
        {
          title: 'Requests by answer',
          description:
            'Every request to ingest. `unavailable` and `internal_error` are ours, the others are theirs.',
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
          title: 'Readings in and out',
          description: 'What ingest sends to Kafka, and what the sinks store. The second follows the first.',
          unit: 'cps',
          queries: [
            { expr: sumOfRates('cellarman_ingest_kafka_send_messages_sum'), legend: 'sent to Kafka' },
            { expr: sumOfRates('cellarman_sink_rows_inserted_total'), legend: 'stored' },
          ],
        },
        {
          title: 'Until a reading is visible',
          description: 'From the receipt of the oldest reading of an insert until it can be queried.',
          unit: 's',
          queries: middleAndWorst('cellarman_sink_freshness_seconds'),
        },
        {
          title: 'Replicas that answer',
          description: 'Replicas whose metrics Prometheus can read.',
          queries: [{ expr: `sum by (job) (${of('up', 'job=~"cellarman-.+"')})`, legend: '{{job}}' }],
        },
      ],
    },
    {
      title: 'The canary',
      panels: [
        {
          title: 'A round trip takes',
          description: 'From posting a reading until it is read back. Empty without a canary.',
          unit: 's',
          queries: middleAndWorst('cellarman_canary_round_trip_seconds'),
        },
        {
          title: 'Failed round trips',
          description: 'In 5 minutes, by the step that failed. An alert fires when most fail.',
          badFrom: 1,
          queries: [
            {
              expr: `sum by (outcome) (increase(${of('cellarman_canary_round_trips_total', 'outcome!="success"')}[5m]))`,
              legend: '{{outcome}}',
            },
          ],
        },
      ],
    },
  ],
};

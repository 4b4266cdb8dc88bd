import type { Page } from '../page.ts';
import { middleAndWorst, of, sumOfRates } from '../promql.ts';

export const sink: Page = {
  name: 'sink',
  title: 'Sink',
  description: 'From the topic into ClickHouse.',
  rows: [
    {
      title: 'How late readings are',
      panels: [
        {
          title: 'Until a reading is visible',
          description: 'From the receipt of the oldest reading of an insert until it can be queried.',
          unit: 's',
          queries: middleAndWorst('cellarman_sink_freshness_seconds'),
        },
        {
          title: 'Waiting, by partition',
          description: 'Messages in the topic that are not stored yet.',
          isStacked: true,
          queries: [
            { expr: `sum by (partition) (${of('cellarman_sink_lag_messages')})`, legend: '{{partition}}' },
          ],
        },
        {
          title: 'Until all of it is stored',
          description: 'At the speed of the last minutes. An alert fires above a minute.',
          unit: 's',
          badFrom: 60,
          queries: [
            {
              expr: `sum(${of('cellarman_sink_lag_messages')}) / clamp_min(${sumOfRates('cellarman_sink_rows_inserted_total')}, 1)`,
              legend: 'drained after',
            },
          ],
        },
        {
          title: 'Oldest message in memory',
          description: 'How long it has waited to be stored. An alert fires above a minute.',
          unit: 's',
          badFrom: 60,
          queries: [{ expr: of('cellarman_sink_oldest_unflushed_seconds'), legend: '{{instance}}' }],
        },
      ],
    },
    {
      title: 'Inserts',
      panels: [
        {
          title: 'Rows',
          description: 'Readings inserted, repetitions included.',
          unit: 'rowsps',
          isStacked: true,
          queries: [
            { expr: sumOfRates('cellarman_sink_rows_inserted_total', 'instance'), legend: '{{instance}}' },
          ],
        },
        {
          title: 'One insert takes',
          description: 'From its start until its offsets can be committed.',
          unit: 's',
          queries: middleAndWorst('cellarman_sink_store_duration_seconds'),
        },
        {
          title: 'Rows of one insert',
          description: 'Few rows in many inserts make ClickHouse merge a lot.',
          queries: middleAndWorst('cellarman_sink_batch_rows'),
        },
        {
          title: 'Bytes of one insert',
          description: 'Bounded by BATCH_MAX_BYTES.',
          unit: 'bytes',
          queries: middleAndWorst('cellarman_sink_batch_bytes'),
        },
        {
          title: 'Gathered and under way',
          description: 'Messages for the next insert, and inserts at this moment.',
          queries: [
            { expr: of('cellarman_sink_gathered_messages'), legend: 'gathered, {{instance}}' },
            { expr: of('cellarman_sink_inserts_in_flight'), legend: 'inserts, {{instance}}' },
          ],
        },
      ],
    },
    {
      title: 'What goes wrong',
      panels: [
        {
          title: 'Steps that had to wait',
          description: 'ClickHouse or Kafka was away or refused, and the step was tried again.',
          unit: 'cps',
          queries: [{ expr: sumOfRates('cellarman_sink_retries_total', 'step'), legend: '{{step}}' }],
        },
        {
          title: 'Dead letters',
          description: 'Messages that are no readings. Something else than ingest writes to the topic.',
          badFrom: 1,
          queries: [
            {
              expr: `sum(increase(${of('cellarman_sink_dead_letters_total')}[10m]))`,
              legend: 'in 10 minutes',
            },
          ],
        },
        {
          title: 'Stopped by a fault of the schema',
          description: '1: this sink takes nothing any more, because rows are refused that should be good.',
          badFrom: 1,
          queries: [{ expr: of('cellarman_sink_schema_fault'), legend: '{{instance}}' }],
        },
        {
          title: 'Age of the retention policy',
          description: 'Since it was last in step with key-service.',
          unit: 's',
          badFrom: 600,
          queries: [{ expr: of('cellarman_sink_retention_policy_age_seconds'), legend: '{{instance}}' }],
        },
        {
          title: 'Age of the hourly counts',
          description: 'Since the readings of every hour that had ended were counted. One sink counts.',
          unit: 's',
          badFrom: 7_200,
          queries: [{ expr: of('cellarman_sink_hourly_counts_age_seconds'), legend: '{{instance}}' }],
        },
      ],
    },
  ],
};

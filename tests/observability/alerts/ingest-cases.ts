import type { AlertCase } from './alert-case.ts';

const answers = (outcome: string) => `cellarman_ingest_responses_total{namespace="n", outcome="${outcome}"}`;

const roundTrips = (outcome: string) =>
  `cellarman_canary_round_trips_total{namespace="n", outcome="${outcome}"}`;

/** What devices notice. */
export const ingestCases: AlertCase[] = [
  {
    alert: 'CellarmanIngestFails',
    when: 'two of a hundred requests get 503, until they do not any more',
    series: { [answers('success')]: '0+98x120', [answers('unavailable')]: '0+2x60 120x60' },
    expect: [
      { at: '4m', fires: [] },
      { at: '10m', fires: [{ namespace: 'n', summary: '2% of the requests to ingest are not stored' }] },
      { at: '21m', fires: [] },
    ],
  },
  {
    alert: 'CellarmanIngestFails',
    when: 'devices send nonsense and too much, and one request in a thousand fails',
    series: {
      [answers('success')]: '0+499x60',
      [answers('invalid_reading')]: '0+300x60',
      [answers('rate_limited')]: '0+200x60',
      [answers('unavailable')]: '0+1x60',
    },
    expect: [{ at: '14m', fires: [] }],
  },
  {
    alert: 'CellarmanIngestFails',
    when: 'nobody sends anything',
    series: { [answers('success')]: '0x60', [answers('unavailable')]: '0x60' },
    expect: [{ at: '14m', fires: [] }],
  },
  {
    alert: 'CellarmanKafkaPartitionFails',
    when: 'two partitions of one replica fail, and recover',
    series: {
      'cellarman_ingest_failing_partitions{namespace="n", instance="a"}': '0x4 2x20 0x20',
      'cellarman_ingest_failing_partitions{namespace="n", instance="b"}': '0x44',
    },
    expect: [
      { at: '2m30s', fires: [] },
      { at: '4m', fires: [{ namespace: 'n', summary: '2 partitions accept no readings' }] },
      { at: '8m', fires: [] },
    ],
  },
  {
    alert: 'CellarmanKeysAreOld',
    when: 'one replica hears nothing of keys from some moment on',
    series: {
      'cellarman_ingest_keys_age_seconds{namespace="n", instance="a"}': '0.2x4 15+15x20',
      'cellarman_ingest_keys_age_seconds{namespace="n", instance="b"}': '0.2x30',
    },
    expect: [
      { at: '2m', fires: [] },
      {
        at: '4m',
        fires: [{ namespace: 'n', summary: 'ingest has not received key changes for 3m 0s' }],
      },
    ],
  },
  {
    alert: 'CellarmanIngestIsFull',
    when: 'one replica rejects a quarter of its requests for five minutes, another one in a thousand',
    series: {
      'cellarman_ingest_shed_total{namespace="n", instance="a"}': '0+250x60',
      'cellarman_ingest_responses_total{namespace="n", instance="a", outcome="unavailable"}': '0+250x60',
      'cellarman_ingest_responses_total{namespace="n", instance="a", outcome="success"}': '0+750x60',
      'cellarman_ingest_shed_total{namespace="n", instance="b"}': '0+1x60',
      'cellarman_ingest_responses_total{namespace="n", instance="b", outcome="success"}': '0+999x60',
    },
    expect: [
      { at: '4m', fires: [] },
      {
        at: '6m',
        fires: [
          {
            namespace: 'n',
            instance: 'a',
            summary: 'a rejects 25% of the requests because of overload',
          },
        ],
      },
    ],
  },
  {
    alert: 'CellarmanIngestNearsLimit',
    when: 'one replica has 90 % of its connections and another half, until clients move',
    series: {
      'cellarman_ingest_connections{namespace="n", instance="a"}': '100x4 900x40 500x20',
      'cellarman_ingest_connections_limit{namespace="n", instance="a"}': '1000x64',
      'cellarman_ingest_connections{namespace="n", instance="b"}': '500x64',
      'cellarman_ingest_connections_limit{namespace="n", instance="b"}': '1000x64',
      'cellarman_ingest_in_flight{namespace="n", instance="a"}': '10x64',
      'cellarman_ingest_in_flight_max{namespace="n", instance="a"}': '10000x64',
    },
    expect: [
      { at: '4m', fires: [] },
      {
        at: '8m',
        fires: [
          {
            ...{ namespace: 'n', instance: 'a', resource: 'connections' },
            summary: 'a uses 90% of its limit of connections',
          },
        ],
      },
      { at: '15m', fires: [] },
    ],
  },
  {
    alert: 'CellarmanIngestNearsLimit',
    when: 'Kafka is slow, and messages fill the memory that may wait for it',
    series: {
      'cellarman_ingest_waiting_bytes{namespace="n", instance="a"}': '27x64',
      'cellarman_ingest_waiting_bytes_limit{namespace="n", instance="a"}': '32x64',
      'cellarman_ingest_body_bytes{namespace="n", instance="a"}': '51x64',
      'cellarman_ingest_body_bytes_limit{namespace="n", instance="a"}': '64x64',
    },
    expect: [
      {
        at: '8m',
        fires: [
          {
            ...{ namespace: 'n', instance: 'a', resource: 'in-flight bytes' },
            summary: 'a uses 84.38% of its limit of in-flight bytes',
          },
        ],
      },
    ],
  },
  {
    alert: 'CellarmanCanaryFails',
    when: 'round trips fail from some moment on, and succeed again',
    series: {
      [roundTrips('success')]: '0+1x20 20x40 20+1x40',
      [roundTrips('post')]: '0x20 0+1x40 40x40',
      [roundTrips('read')]: '0x100',
    },
    expect: [
      { at: '5m', fires: [] },
      {
        at: '12m',
        fires: [{ namespace: 'n', summary: '100% of the round trips of the canary fail' }],
      },
      { at: '24m', fires: [] },
    ],
  },
  {
    alert: 'CellarmanCanaryFails',
    when: 'one round trip in ten fails',
    series: {
      [roundTrips('success')]: '0+9x60',
      [roundTrips('read')]: '0+1x60',
    },
    expect: [{ at: '14m', fires: [] }],
  },
];

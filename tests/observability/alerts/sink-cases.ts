import type { AlertCase } from './alert-case.ts';

const lag = (partition: number) => `cellarman_sink_lag_messages{namespace="n", partition="${partition}"}`;
const inserted = (pod: string) => `cellarman_sink_rows_inserted_total{namespace="n", instance="${pod}"}`;

/** What people who read notice. */
export const sinkCases: AlertCase[] = [
  {
    alert: 'CellarmanSinkIsBehind',
    when: 'two sinks store 100 readings a second together and 12,000 wait',
    series: {
      [lag(0)]: '8000x80',
      [lag(1)]: '4000x80',
      [inserted('a')]: '0+750x80',
      [inserted('b')]: '0+750x80',
    },
    expect: [
      { at: '9m', fires: [] },
      { at: '11m', fires: [{ namespace: 'n', summary: 'readings become visible about 2m 0s late' }] },
    ],
  },
  {
    alert: 'CellarmanSinkIsBehind',
    when: 'nothing is stored any more and 300 wait',
    series: { [lag(0)]: '300x80', [inserted('a')]: '5000x80' },
    expect: [{ at: '11m', fires: [{ namespace: 'n', summary: 'readings become visible about 5m 0s late' }] }],
  },
  {
    alert: 'CellarmanSinkIsBehind',
    when: 'as many wait as are stored in a second, or as few as do not matter',
    series: { [lag(0)]: '5000x80', [lag(1)]: '50x80', [inserted('a')]: '0+75000x80' },
    expect: [{ at: '15m', fires: [] }],
  },
  {
    alert: 'CellarmanSinkIsStuck',
    when: 'an insert waits, until ClickHouse takes it',
    series: {
      'cellarman_sink_oldest_unflushed_seconds{namespace="n", instance="a"}': '0.1x4 15+15x19 0.1x20',
      'cellarman_sink_oldest_unflushed_seconds{namespace="n", instance="b"}': '0.3x44',
    },
    expect: [
      { at: '3m', fires: [] },
      { at: '5m', fires: [{ namespace: 'n', summary: 'an insert has waited for 4m 0s' }] },
      { at: '8m', fires: [] },
    ],
  },
  {
    alert: 'CellarmanUnreadExpire',
    when: 'the backlog of one partition grows, and that of another less',
    series: {
      'cellarman_sink_unread_share{namespace="n", instance="a"}': '0.1x4 0.75x40 0x40',
      'cellarman_sink_unread_share{namespace="n", instance="b"}': '0.2x84',
    },
    expect: [
      { at: '5m', fires: [] },
      {
        at: '8m',
        fires: [{ namespace: 'n', summary: '75% of what Kafka retains in a partition is not stored' }],
      },
      { at: '14m', fires: [] },
    ],
  },
  {
    alert: 'CellarmanSchemaError',
    when: 'one of two sinks has stopped',
    series: {
      'cellarman_sink_schema_error{namespace="n", instance="a"}': '0x4 1x10 0x10',
      'cellarman_sink_schema_error{namespace="n", instance="b"}': '0x24',
    },
    expect: [
      { at: '1m', fires: [] },
      {
        at: '2m',
        fires: [
          {
            namespace: 'n',
            summary: 'a sink has stopped, because ClickHouse rejects rows that should be valid',
          },
        ],
      },
      { at: '5m', fires: [] },
    ],
  },
  {
    alert: 'CellarmanDeadLetters',
    when: 'messages that are no readings come for a minute',
    series: { 'cellarman_sink_dead_letters_total{namespace="n"}': '0x20 0+5x4 20x80' },
    expect: [
      { at: '5m', fires: [] },
      { at: '11m', fires: [{ namespace: 'n', summary: '20 messages are not valid readings' }] },
      { at: '20m', fires: [] },
    ],
  },
  {
    alert: 'CellarmanHourlyCountsAreOld',
    when: 'an hour cannot be counted, and later it is',
    series: {
      'cellarman_sink_hourly_counts_age_seconds{namespace="n", instance="a"}': '0+60x200 5x50',
      // Another sink counted before.
      'cellarman_sink_hourly_counts_age_seconds{namespace="n", instance="b"}': `5x10 ${'NaN '.repeat(240)}`,
    },
    // The age grows by four minutes a minute here.
    expect: [
      { at: '45m', fires: [] },
      { at: '46m', fires: [{ namespace: 'n', summary: 'the hourly counts are 3h 4m 0s behind' }] },
      { at: '51m', fires: [] },
    ],
  },
  {
    alert: 'CellarmanReadingsMismatch',
    when: 'a row is gone, until it is restored',
    series: {
      'cellarman_sink_mismatched_readings{namespace="n", instance="a", kind="missing"}': '0x8 3x20 0x20',
      'cellarman_sink_mismatched_readings{namespace="n", instance="a", kind="altered"}': '0x48',
      // Another sink verified before.
      'cellarman_sink_mismatched_readings{namespace="n", instance="b", kind="missing"}': 'NaN '
        .repeat(48)
        .trim(),
    },
    expect: [
      { at: '1m', fires: [] },
      {
        at: '3m',
        fires: [
          {
            ...{ namespace: 'n', kind: 'missing' },
            summary: '3 readings of the last day are missing in ClickHouse',
          },
        ],
      },
      { at: '9m', fires: [] },
    ],
  },
  {
    alert: 'CellarmanVerificationIsBehind',
    when: 'hours cannot be verified, and later they are',
    series: {
      'cellarman_sink_verification_age_seconds{namespace="n", instance="a"}': '0+60x200 5x50',
      'cellarman_sink_verification_age_seconds{namespace="n", instance="b"}': `5x10 ${'NaN '.repeat(240)}`,
    },
    // The age grows by four minutes a minute here.
    expect: [
      { at: '45m', fires: [] },
      {
        at: '46m',
        fires: [{ namespace: 'n', summary: 'the verification of completed hours is 3h 4m 0s behind' }],
      },
      { at: '51m', fires: [] },
    ],
  },
  {
    alert: 'CellarmanRetentionIsOld',
    when: 'no sink could ask for the retention',
    series: {
      'cellarman_sink_retention_policy_age_seconds{namespace="n", instance="a"}': '0+15x80',
      'cellarman_sink_retention_policy_age_seconds{namespace="n", instance="b"}': '60+15x80',
    },
    expect: [
      { at: '14m', fires: [] },
      {
        at: '16m',
        fires: [{ namespace: 'n', summary: 'the retention policy has not been updated for 16m 0s' }],
      },
    ],
  },
  {
    alert: 'CellarmanRetentionIsOld',
    when: 'one of two sinks keeps it in step',
    series: {
      'cellarman_sink_retention_policy_age_seconds{namespace="n", instance="a"}': '0+15x80',
      'cellarman_sink_retention_policy_age_seconds{namespace="n", instance="b"}': '30x80',
    },
    expect: [{ at: '19m', fires: [] }],
  },
];

import type { AlertCase } from './alert-case.ts';

const requests = (service: 'key_service' | 'query', status: string) =>
  `cellarman_${service}_request_duration_seconds_count{namespace="n", job="cellarman-${service.replace('_', '-')}", status="${status}"}`;

/** What key-service and query need, and what those notice who use them. */
export const engineCases: AlertCase[] = [
  {
    alert: 'CellarmanPostgresDown',
    when: 'key-service reaches it no more',
    series: {
      'cellarman_key_service_changes_age_seconds{namespace="n", instance="a"}': '0.1x4 15+15x20',
    },
    expect: [
      { at: '2m', fires: [] },
      {
        at: '3m',
        fires: [{ namespace: 'n', summary: 'key-service has not reached PostgreSQL for 2m 0s' }],
      },
    ],
  },
  {
    alert: 'CellarmanRedisDown',
    when: 'commands to Redis fail for four minutes, and once much later',
    series: { 'cellarman_key_service_copy_errors_total{namespace="n"}': '0x4 0+60x16 960x40 961x40' },
    expect: [
      { at: '3m', fires: [] },
      { at: '5m', fires: [{ namespace: 'n', summary: 'key-service cannot use Redis' }] },
      { at: '9m', fires: [] },
      { at: '17m', fires: [] },
    ],
  },
  {
    alert: 'CellarmanKeysExpire',
    when: 'three keys are to expire that are in use, as both replicas see',
    series: {
      'cellarman_key_service_expiring_keys{namespace="n", instance="a"}': '0x4 3x30 0x30',
      'cellarman_key_service_expiring_keys{namespace="n", instance="b"}': '0x6 3x28 0x30',
    },
    expect: [
      { at: '5m', fires: [] },
      {
        at: '7m',
        fires: [{ namespace: 'n', summary: '3 API keys in use expire within 7 days' }],
      },
      { at: '10m', fires: [] },
    ],
  },
  {
    alert: 'CellarmanKeyExpiryUnknown',
    when: 'one replica cannot count, then none, then one can again',
    series: {
      'up{job="cellarman-key-service", namespace="n", instance="a"}': '1x200',
      'up{job="cellarman-key-service", namespace="n", instance="b"}': '1x200',
      'cellarman_key_service_expiring_keys{namespace="n", instance="a"}': `0x4 ${'NaN '.repeat(160)}0x30`,
      'cellarman_key_service_expiring_keys{namespace="n", instance="b"}': '0x80 _x70',
    },
    expect: [
      { at: '15m', fires: [] },
      { at: '34m', fires: [] },
      {
        at: '36m',
        fires: [
          { namespace: 'n', summary: 'no replica of key-service can count the API keys that expire soon' },
        ],
      },
      { at: '42m', fires: [] },
    ],
  },
  {
    alert: 'CellarmanKeyExpiryUnknown',
    when: 'key-service is down, which another alert reports',
    series: { 'up{job="cellarman-key-service", namespace="n"}': '0x80' },
    expect: [{ at: '15m', fires: [] }],
  },
  {
    alert: 'CellarmanGaugeMissing',
    when: 'all sinks report NaN, and key-service has lost a series; of two replicas one is enough',
    series: {
      'up{job="cellarman-sink", namespace="n", instance="a"}': '1x400',
      'up{job="cellarman-key-service", namespace="n", instance="a"}': '1x400',
      'up{job="cellarman-ingest", namespace="n", instance="a"}': '0x400',
      'cellarman_sink_hourly_counts_age_seconds{namespace="n", instance="a"}': 'NaN '.repeat(400),
      'cellarman_sink_retention_policy_age_seconds{namespace="n", instance="a"}': 'NaN '.repeat(400),
      'cellarman_sink_retention_policy_age_seconds{namespace="n", instance="b"}': '1x400',
      'cellarman_sink_lag_messages{namespace="n", instance="a", partition="0"}': '5x400',
      'cellarman_key_service_changes_age_seconds{namespace="n", instance="a"}': '0x400',
      'cellarman_key_service_alert_notifications_age_seconds{namespace="n", instance="a"}': '0x40 _x360',
    },
    expect: [
      { at: '29m', fires: [] },
      {
        at: '50m',
        fires: ['key_service_alert_notifications_age_seconds', 'sink_hourly_counts_age_seconds'].map(
          (gauge) => ({
            ...{ namespace: 'n', gauge: `cellarman_${gauge}` },
            summary: `no replica reports cellarman_${gauge}`,
          }),
        ),
      },
    ],
  },
  {
    alert: 'CellarmanNotificationsFail',
    when: 'one is retried, and is delivered later',
    series: {
      'cellarman_key_service_alert_notifications_age_seconds{namespace="n", instance="a"}': '0+15x80 0x40',
      'cellarman_key_service_alert_notifications_age_seconds{namespace="n", instance="b"}': '0+15x80 0x40',
    },
    expect: [
      { at: '9m', fires: [] },
      {
        at: '11m',
        fires: [
          {
            namespace: 'n',
            summary: 'a notification about an alert has not been delivered for 11m 0s',
          },
        ],
      },
      { at: '25m', fires: [] },
    ],
  },
  {
    alert: 'CellarmanApiFails',
    when: 'one in ten questions to query fails',
    series: {
      [requests('query', '200')]: '0+85x60',
      [requests('query', '400')]: '0+5x60',
      [requests('query', '503')]: '0+10x60',
      [requests('key_service', '200')]: '0+50x60',
    },
    expect: [
      { at: '4m', fires: [] },
      {
        at: '8m',
        fires: [
          {
            namespace: 'n',
            job: 'cellarman-query',
            summary: '10% of the requests to cellarman-query fail',
          },
        ],
      },
    ],
  },
  {
    alert: 'CellarmanApiFails',
    when: 'every answer of key-service is 500',
    series: { [requests('key_service', '500')]: '0+5x60' },
    expect: [
      {
        at: '8m',
        fires: [
          {
            namespace: 'n',
            job: 'cellarman-key-service',
            summary: '100% of the requests to cellarman-key-service fail',
          },
        ],
      },
    ],
  },
  {
    alert: 'CellarmanApiFails',
    when: 'people ask for what is not there, and one request in a hundred fails',
    series: {
      [requests('key_service', '200')]: '0+49x60',
      [requests('key_service', '404')]: '0+50x60',
      [requests('key_service', '503')]: '0+1x60',
    },
    expect: [{ at: '14m', fires: [] }],
  },
];

import type { AlertCase } from './alert-case.ts';

const up = (job: string, pod: number) =>
  `up{namespace="n", job="cellarman-${job}", instance="${job}-${pod}:80"}`;
const others = {
  [up('key-service', 0)]: '1x60',
  [up('sink', 0)]: '1x60',
  [up('query', 0)]: '1x60',
};
const ingestIsDown = { job: 'cellarman-ingest', summary: 'no replica of cellarman-ingest can be scraped' };

const certificate = (job: string, name: string) =>
  `cellarman_certificate_expiry_timestamp_seconds{namespace="n", job="cellarman-${job}", certificate="${name}"}`;

/** Whether processes respond, and whether they do so in time. */
export const upCases: AlertCase[] = [
  {
    alert: 'CellarmanCertificateExpires',
    when: 'one of two certificates ends in two days and is renewed in the last minute',
    // Time begins at 0.
    series: {
      [certificate('ingest', 'server')]: '172860x100 604800x60',
      [certificate('ingest', 'kafka')]: '604800x160',
    },
    expect: [
      { at: '1m', fires: [] },
      { at: '10m', fires: [] },
      {
        at: '20m',
        fires: [
          {
            namespace: 'n',
            job: 'cellarman-ingest',
            certificate: 'server',
            summary: 'the server certificate of cellarman-ingest expires in 1d 23h 41m 0s',
          },
        ],
      },
      { at: '30m', fires: [] },
    ],
  },
  {
    alert: 'CellarmanServiceDown',
    when: 'the last replica of a service goes',
    series: { ...others, [up('ingest', 0)]: '1x8 0x60', [up('ingest', 1)]: '0x60' },
    expect: [
      { at: '2m', fires: [] },
      { at: '4m', fires: [] },
      { at: '5m', fires: [{ namespace: 'n', ...ingestIsDown }] },
    ],
  },
  {
    alert: 'CellarmanServiceDown',
    when: 'Prometheus finds no pod of a service at all',
    series: others,
    expect: [
      { at: '1m', fires: [] },
      { at: '3m', fires: [ingestIsDown] },
    ],
  },
  {
    alert: 'CellarmanServiceDown',
    when: 'one of two replicas is away, and so is somebody else of a similar name',
    series: { ...others, [up('ingest', 0)]: '1x60', [up('ingest', 1)]: '0x60', 'up{job="query"}': '0x60' },
    expect: [{ at: '10m', fires: [] }],
  },
  {
    alert: 'CellarmanReplicaDown',
    when: 'one of two replicas is away',
    series: { [up('ingest', 0)]: '1x60', [up('ingest', 1)]: '1x3 0x30 1x30' },
    expect: [
      { at: '5m', fires: [] },
      {
        at: '7m',
        fires: [
          {
            namespace: 'n',
            job: 'cellarman-ingest',
            instance: 'ingest-1:80',
            summary: 'ingest-1:80 of cellarman-ingest cannot be scraped',
          },
        ],
      },
      { at: '10m', fires: [] },
    ],
  },
  {
    alert: 'CellarmanEventLoopIsLate',
    when: 'a process is late in every scrape for ten minutes, and another was once',
    series: {
      'nodejs_eventloop_delay_max_seconds{namespace="n", job="cellarman-query", instance="a"}': '1.5x60',
      'nodejs_eventloop_delay_max_seconds{namespace="n", job="cellarman-query", instance="b"}':
        '0.01x10 3 0.01x50',
      'nodejs_eventloop_delay_max_seconds{namespace="n", job="somebody-else", instance="c"}': '9x60',
    },
    expect: [
      { at: '9m', fires: [] },
      {
        at: '11m',
        fires: [
          {
            namespace: 'n',
            job: 'cellarman-query',
            instance: 'a',
            summary: 'a of cellarman-query blocks its event loop for 1.5s at a time',
          },
        ],
      },
    ],
  },
];

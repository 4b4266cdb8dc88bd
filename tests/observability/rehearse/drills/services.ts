import type { Drill } from '../drill.ts';
import { ask, log, readyz, takeDown, undo } from '../looks.ts';
import { keepConnections } from '../keep-connections.ts';
import { notifyNobody, receiveAgain } from '../notify-nobody.ts';
import { starve } from '../starve.ts';
import { startTraffic } from '../traffic.ts';

/** A service of our own that is away or slow. */
export const serviceDrills: Drill[] = [
  {
    name: 'key-service-is-away',
    fault: 'the only replica of key-service is killed with SIGKILL and stays away',
    alerts: ['CellarmanServiceDown', 'CellarmanKeysAreOld', 'CellarmanRetentionIsOld'],
    breakIt: (scene) => takeDown(scene, 'key-service'),
    look: [
      ask('up == 0'),
      ask('cellarman_ingest_keys_age_seconds'),
      ask('cellarman_sink_retention_policy_age_seconds'),
      readyz('key-service'),
      ask('sum by (outcome) (rate(cellarman_ingest_responses_total[1m])) > 0'),
    ],
    fix: [undo('start key-service again')],
  },
  {
    name: 'the-sink-is-away',
    fault:
      'the only replica of the sink is killed with SIGKILL and stays away: what is acknowledged waits in Kafka',
    alerts: ['CellarmanCanaryFails', 'CellarmanServiceDown'],
    breakIt: (scene) => takeDown(scene, 'sink'),
    look: [
      ask('sum by (outcome) (increase(cellarman_canary_round_trips_total[1m])) > 0'),
      log('canary', 'a round trip failed'),
      ask('up == 0'),
      ask('sum(cellarman_sink_lag_messages)'),
      ask('sum by (outcome) (rate(cellarman_ingest_responses_total[1m])) > 0'),
    ],
    fix: [undo('start the sink again')],
  },
  {
    name: 'a-replica-hangs',
    fault:
      'one of two replicas of ingest is stopped with SIGSTOP: it keeps its connections open and does not respond',
    alerts: ['CellarmanReplicaDown'],
    labels: { job: 'cellarman-ingest' },
    async breakIt({ product, undo: later }) {
      product.kill('ingest', 1, 'SIGSTOP');
      later.push(() => product.kill('ingest', 1, 'SIGCONT'));
    },
    look: [ask('up{job="cellarman-ingest"}'), readyz('ingest')],
    fix: [
      {
        what: 'delete its pod: here kill -9, and the supervisor starts another',
        run: async ({ product, undo: later }) => {
          later.length = 0;
          product.kill('ingest', 1, 'SIGKILL');
          return undefined;
        },
      },
    ],
  },
  {
    name: 'a-certificate-is-not-renewed',
    fault: 'the certificate of the canary expires in a day and is not renewed',
    alerts: ['CellarmanCertificateExpires'],
    breakIt: (scene) => scene.certify(1),
    look: [
      ask(
        '(min by (job, certificate) (cellarman_certificate_expiry_timestamp_seconds) - time()) / 86400 < 2',
      ),
    ],
    fix: [
      {
        what: 'renew it: here another into the same files; the process reloads it',
        run: async (scene) => {
          await scene.certify(30);
          return undefined;
        },
      },
    ],
  },
  {
    name: 'a-process-has-too-little-cpu',
    fault: 'query is stopped for 1.5 s and runs for 1 s, alternating, like a CPU limit that is too low',
    alerts: ['CellarmanEventLoopIsLate'],
    labels: { job: 'cellarman-query' },
    async breakIt(scene) {
      scene.undo.push(starve(scene.product, 'query', { stoppedMs: 1_500, runningMs: 1_000 }));
    },
    look: [
      ask('nodejs_eventloop_delay_max_seconds{job="cellarman-query"}'),
      ask('rate(process_cpu_seconds_total{job="cellarman-query"}[1m])'),
    ],
    fix: [undo('give it its CPU: no more stops')],
  },
  {
    name: 'a-webhook-is-away',
    fault: 'an alert fires in a cellar whose webhook cannot be reached',
    alerts: ['CellarmanNotificationsFail'],
    breakIt: notifyNobody,
    look: [
      ask('cellarman_key_service_alert_notifications_age_seconds'),
      ask('rate(cellarman_key_service_alert_deliveries_total{outcome="failed"}[1m]) > 0'),
      log('key-service', 'could not deliver'),
    ],
    fix: [
      {
        what: 'give the destination the URL of a receiver that works: `PATCH /api/v1/cellars/demo/alert-destinations/…`',
        run: receiveAgain,
      },
    ],
  },
  {
    name: 'kafka-is-slow',
    fault:
      'Kafka is stopped for 0.8 s and runs for 0.2 s, alternating, while 300 more devices post without a rest',
    alerts: ['CellarmanIngestIsFull'],
    async breakIt(scene) {
      const flood = startTraffic(scene.run, 300, 0);
      scene.undo.push(starve(scene.product, 'kafka', { stoppedMs: 800, runningMs: 200 }), () => flood.stop());
    },
    look: [
      ask('rate(cellarman_ingest_shed_total[1m])'),
      ask('cellarman_ingest_in_flight_limit'),
      ask(
        'histogram_quantile(0.99, sum by (le) (rate(cellarman_ingest_kafka_send_duration_seconds_bucket[1m])))',
      ),
      ask('rate(process_cpu_seconds_total{job="cellarman-ingest"}[1m])'),
    ],
    fix: [undo('resume Kafka; the flood ends')],
  },
  {
    name: 'connections-pile-up',
    fault: '520 devices keep a connection to one of two replicas of ingest, whose limit is 600',
    alerts: ['CellarmanIngestNearsLimit'],
    async breakIt({ run, undo: later }) {
      const [url = run.ingestUrl] = run.ingestUrls;
      later.push(await keepConnections(url, 260), await keepConnections(url, 260));
    },
    look: [
      ask('cellarman_ingest_connections / cellarman_ingest_connections_limit'),
      ask('cellarman_ingest_in_flight / cellarman_ingest_in_flight_max'),
    ],
    fix: [
      {
        what: 'spread the connections: half of the devices connect to the other replica',
        run: async ({ run, undo: later }) => {
          later.pop()?.();
          later.push(await keepConnections(run.ingestUrls.at(-1) ?? run.ingestUrl, 260));
          return undefined;
        },
      },
    ],
  },
];

import { READINGS_TOPIC } from '@cellarman/contracts';
import { Admin } from '@platformatic/kafka';
import type { Drill } from '../drill.ts';
import { ask, log, readyz, takeDown, undo } from '../looks.ts';
import type { Scene } from '../scene.ts';

/** As the retention does when it reaches the first message that is not stored. */
async function deleteStored({ run }: Scene): Promise<void> {
  const admin = new Admin({ clientId: 'rehearsal', bootstrapBrokers: run.kafkaBrokers });
  const [group] = await admin.listConsumerGroupOffsets({ groups: ['cellarman-sink'] });
  const committed = group?.topics.find(({ name }) => name === READINGS_TOPIC)?.partitions ?? [];
  const partitions = committed
    .filter(({ committedOffset }) => committedOffset > 0n)
    .map(({ partitionIndex, committedOffset }) => ({ partition: partitionIndex, offset: committedOffset }));
  await admin.deleteRecords({ topics: [{ name: READINGS_TOPIC, partitions }] });
  await admin.close();
}

/** An engine that is killed and stays away. */
export const engineDrills: Drill[] = [
  {
    name: 'kafka-is-away',
    fault: 'the Kafka broker is killed with SIGKILL and stays away',
    alerts: ['CellarmanIngestFails', 'CellarmanKafkaPartitionFails', 'CellarmanCanaryFails'],
    breakIt: (scene) => takeDown(scene, 'kafka'),
    look: [
      ask('sum by (outcome) (rate(cellarman_ingest_responses_total[1m])) > 0'),
      ask('cellarman_ingest_failing_partitions'),
      ask('sum by (code) (increase(cellarman_ingest_kafka_send_failures_total[1m])) > 0'),
      ask('sum by (outcome) (increase(cellarman_canary_round_trips_total[1m])) > 0'),
      readyz('ingest'),
    ],
    fix: [undo('start the broker again')],
  },
  {
    name: 'clickhouse-is-away',
    fault: 'ClickHouse is killed with SIGKILL and stays away',
    alerts: ['CellarmanSinkIsStuck', 'CellarmanSinkIsBehind', 'CellarmanApiFails'],
    breakIt: (scene) => takeDown(scene, 'clickhouse'),
    look: [
      ask('sum(cellarman_sink_lag_messages)'),
      ask('sum by (step) (increase(cellarman_sink_retries_total[1m])) > 0'),
      readyz('sink'),
      log('sink', 'is unavailable, readings wait'),
      readyz('query'),
      ask('sum by (status) (rate(cellarman_query_request_duration_seconds_count[1m])) > 0'),
    ],
    fix: [undo('start ClickHouse again')],
  },
  {
    name: 'unread-readings-expire',
    fault: 'ClickHouse is killed with SIGKILL, and Kafka deletes everything that is stored',
    alerts: ['CellarmanUnreadExpire'],
    async breakIt(scene) {
      await takeDown(scene, 'clickhouse');
      await deleteStored(scene);
    },
    look: [ask('cellarman_sink_unread_share'), ask('sum(cellarman_sink_lag_messages)'), readyz('sink')],
    fix: [undo('start ClickHouse again')],
  },
  {
    name: 'postgres-is-away',
    fault: 'PostgreSQL is killed with SIGKILL and stays away',
    alerts: ['CellarmanPostgresDown', 'CellarmanKeyExpiryUnknown', 'CellarmanGaugeMissing'],
    breakIt: (scene) => takeDown(scene, 'postgres'),
    look: [
      ask('cellarman_key_service_changes_age_seconds'),
      readyz('key-service'),
      log('key-service', 'cannot follow key changes'),
      log('key-service', 'could not count the rows'),
    ],
    fix: [undo('start PostgreSQL again')],
  },
  {
    name: 'redis-is-away',
    fault: 'Redis is killed with SIGKILL and stays away',
    alerts: ['CellarmanRedisDown'],
    breakIt: (scene) => takeDown(scene, 'redis'),
    look: [
      ask('rate(cellarman_key_service_copy_errors_total[1m])'),
      readyz('key-service'),
      log('key-service', 'Redis is unreachable'),
      ask('sum by (outcome) (rate(cellarman_ingest_responses_total[1m])) > 0'),
    ],
    fix: [undo('start Redis again')],
  },
];

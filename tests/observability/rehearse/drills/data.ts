import { createClient } from '@clickhouse/client';
import { createKafkaProducer, silentLogger } from '@cellarman/kafka';
import { clickhouseLogin } from '@cellarman/local-stack';
import { Client } from 'pg';
import type { Drill } from '../drill.ts';
import { ask, log, readyz } from '../looks.ts';
import { askManagement } from '../management.ts';
import type { Scene } from '../scene.ts';

/** What is wrong is in the data, not in a process. */
export const dataDrills: Drill[] = [
  {
    name: 'the-table-rejects-good-rows',
    fault: 'a constraint that no reading satisfies is added to the table',
    alerts: ['CellarmanSchemaError'],
    breakIt: (scene) =>
      clickhouse(scene, 'ALTER TABLE readings_stored ADD CONSTRAINT rehearsal CHECK value < -1e300'),
    look: [ask('cellarman_sink_schema_error'), readyz('sink'), log('sink', 'has stopped consuming')],
    fix: [
      {
        what: 'drop the constraint: `ALTER TABLE readings_stored DROP CONSTRAINT rehearsal`',
        run: async (scene) => {
          await clickhouse(scene, 'ALTER TABLE readings_stored DROP CONSTRAINT rehearsal');
          return undefined;
        },
      },
      {
        what: 'restart the sink: here kill -9, and the supervisor starts another',
        run: async ({ product }) => {
          product.kill('sink', 0, 'SIGKILL');
          return undefined;
        },
      },
    ],
  },
  {
    name: 'somebody-else-writes-to-the-topic',
    fault: 'another program sends 5 messages that are no readings to the topic',
    alerts: ['CellarmanDeadLetters'],
    breakIt: sendNonsense,
    look: [ask('increase(cellarman_sink_dead_letters_total[1m])'), log('sink', 'to the dead-letter topic')],
    fix: [{ what: 'stop that program: here it has already exited', run: async () => undefined }],
  },
  {
    name: 'a-key-is-about-to-expire',
    fault: 'the key that the devices use gets an expiry in three days',
    alerts: ['CellarmanKeysExpire'],
    breakIt: (scene) => setExpiry(scene, new Date(Date.now() + 3 * 86_400_000).toISOString()),
    look: [
      ask('cellarman_key_service_expiring_keys'),
      {
        what: 'the SQL of the runbook',
        run: async ({ run }) => {
          const client = new Client({ connectionString: run.databaseUrl });
          await client.connect();
          const { rows } = await client.query<Record<string, unknown>>(
            `SELECT cellar, api_keys.name, display_prefix, expires_at::date::text AS expires
             FROM api_keys JOIN cellars ON cellars.name = cellar LEFT JOIN key_uses ON key_id = api_keys.id
             WHERE revoked_at IS NULL AND archived_at IS NULL AND expires_at BETWEEN now() AND now() + interval '7 days'
               AND greatest(last_used_at, key_uses.at) > now() - interval '1 day'`,
          );
          await client.end();
          return rows.map((row) => `\`${Object.values(row).join(' | ')}\``).join(', ');
        },
      },
    ],
    fix: [
      {
        what: 'extend the expiry of the key: `PATCH /api/v1/cellars/demo/keys/…` with `{"expiresAt": null}`',
        run: async (scene) => {
          await setExpiry(scene, null);
          return undefined;
        },
      },
    ],
  },
  {
    name: 'hours-are-not-counted',
    fault: 'the table of the hourly counts is renamed, while readings of five hours ago are not counted yet',
    alerts: ['CellarmanHourlyCountsAreOld'],
    async breakIt(scene) {
      await clickhouse(scene, 'RENAME TABLE settled_counts TO settled_counts_away');
      await clickhouse(
        scene,
        `INSERT INTO readings_stored (cellar, rack, keg, value, timestamp, received_at, key_id)
         SELECT 'demo', 'r', 'k', 1, now64(9) - INTERVAL 5 HOUR, now64(6) - INTERVAL 5 HOUR, 'k'`,
      );
      await clickhouse(scene, 'TRUNCATE TABLE settled_until');
    },
    look: [ask('cellarman_sink_hourly_counts_age_seconds'), log('sink', 'could not roll up an hour')],
    fix: [
      {
        what: 'as the log suggests: `RENAME TABLE settled_counts_away TO settled_counts`',
        run: async (scene) => {
          await clickhouse(scene, 'RENAME TABLE settled_counts_away TO settled_counts');
          return undefined;
        },
      },
    ],
  },
  {
    name: 'a-row-that-nobody-published',
    fault: 'a row is inserted into ClickHouse that no message of the topic has, in a completed hour',
    alerts: ['CellarmanReadingsMismatch'],
    labels: { kind: 'altered' },
    async breakIt(scene) {
      await clickhouse(
        scene,
        `INSERT INTO readings_stored (cellar, rack, keg, value, timestamp, received_at, key_id)
         SELECT 'demo', 'rehearsal', 'k', 1, now64(9) - INTERVAL 5 HOUR, now64(6) - INTERVAL 5 HOUR, 'k'`,
      );
      // Otherwise the sink checks the hour again within an hour.
      await clickhouse(scene, 'TRUNCATE TABLE verified_hours');
    },
    look: [ask('cellarman_sink_mismatched_readings > 0'), log('sink', 'do not match the topic')],
    fix: [
      {
        what: "delete the row, here in both tables: `ALTER TABLE … DELETE WHERE rack = 'rehearsal'`",
        run: async (scene) => {
          for (const table of ['readings_stored', 'readings_by_time']) {
            await clickhouse(
              scene,
              `ALTER TABLE ${table} DELETE WHERE rack = 'rehearsal' SETTINGS mutations_sync = 2`,
            );
          }
          return undefined;
        },
      },
      {
        what: 'let the sink verify the last day again: `TRUNCATE TABLE verified_hours`',
        run: async (scene) => {
          await clickhouse(scene, 'TRUNCATE TABLE verified_hours');
          return undefined;
        },
      },
    ],
  },
  {
    name: 'hours-are-not-verified',
    fault:
      'a constraint that no row satisfies is added to the table of verified hours, and the table is emptied',
    alerts: ['CellarmanVerificationIsBehind'],
    async breakIt(scene) {
      await clickhouse(scene, "ALTER TABLE verified_hours ADD CONSTRAINT rehearsal CHECK cellar = '-'");
      await clickhouse(scene, 'TRUNCATE TABLE verified_hours');
    },
    look: [ask('cellarman_sink_verification_age_seconds'), log('sink', 'could not verify a completed hour')],
    fix: [
      {
        what: 'as the log suggests: `ALTER TABLE verified_hours DROP CONSTRAINT rehearsal`',
        run: async (scene) => {
          await clickhouse(scene, 'ALTER TABLE verified_hours DROP CONSTRAINT rehearsal');
          return undefined;
        },
      },
    ],
  },
];

async function clickhouse({ run }: Scene, statement: string): Promise<void> {
  const client = createClient({ ...clickhouseLogin(run), database: run.clickhouseDatabase });
  await client.command({ query: statement });
  await client.close();
}

async function sendNonsense({ run }: Scene): Promise<void> {
  const topic = 'cellarman.readings.v1';
  const producer = createKafkaProducer({
    connection: { brokers: run.kafkaBrokers, clientId: 'somebody-else', logger: silentLogger },
    topics: [topic],
  });
  await producer.connect();
  const messages = Array.from({ length: 5 }, () => ({ key: 'k', value: Buffer.from('{}'), headers: {} }));
  await producer.send(topic, [{ partition: 0, messages }]);
  await producer.disconnect();
}

async function setExpiry(scene: Scene, expiresAt: string | null): Promise<void> {
  const ask = await askManagement(scene.run);
  const path = `/api/v1/cellars/${scene.run.demo.cellar}/keys`;
  const { keys } = await ask<{ keys: { id: string; displayPrefix: string; state: string }[] }>('GET', path);
  const key = keys.find(({ displayPrefix }) => scene.run.demo.apiKey.startsWith(displayPrefix));
  if (key === undefined) throw new Error('the key of the devices is not in the list');
  await ask('PATCH', `${path}/${key.id}`, { expiresAt });
}

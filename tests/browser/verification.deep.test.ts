import { createClient } from '@clickhouse/client';
import { createTopicAdmin, silentLogger } from '@cellarman/kafka';
import { clickhouseLogin } from '@cellarman/local-stack';
import type { RunFile } from '@cellarman/local-stack';
import { expect, test } from 'vitest';
import { sendAsForeigner } from '../../libs/kafka/tests/foreign-producer.ts';
import { describeDashboard, ownProduct } from './describe-dashboard.ts';
import { expectNoBarrier } from './expect-no-barrier.ts';

const TIMEOUT = 120_000;
/** The sink checks each hour of the day again. */
const INTERVAL_SECONDS = 15;
const HOUR_MS = 3_600_000;
const TOPIC = 'cellarman.readings.v1';
/** In the middle of an hour that ended long ago. */
const RECEIVED_AT = (Math.floor(Date.now() / HOUR_MS) - 4.5) * HOUR_MS;

function clickhouseOf(run: RunFile) {
  const client = createClient({ ...clickhouseLogin(run), database: run.clickhouseDatabase });
  const settings = { clickhouse_settings: { mutations_sync: '2' } };
  return {
    command: (query: string) => client.command({ query, ...settings }),
    count: async (where: string) => {
      const rows = await client.query({
        query: `SELECT toUInt32(count()) AS n FROM readings WHERE ${where}`,
        format: 'JSONEachRow',
      });
      return (await rows.json<{ n: number }>())[0]?.n;
    },
    close: () => client.close(),
  };
}

/** Publishes readings as ingest did hours ago, on a topic that takes their time. */
async function publishInThePast(run: RunFile, cellar: string): Promise<void> {
  const connection = { brokers: run.kafkaBrokers, clientId: 'test', logger: silentLogger };
  const admin = createTopicAdmin(connection);
  await admin.alter(TOPIC, { 'message.timestamp.type': 'CreateTime' });
  const at = new Date(RECEIVED_AT).toISOString();
  await sendAsForeigner(
    run.kafkaBrokers,
    TOPIC,
    [1, 2, 3].map((value) => ({
      ...{ key: `${cellar}/verified`, partition: 0, timestamp: String(RECEIVED_AT) },
      headers: { 'content-type': 'application/json', 'schema-version': '1' },
      value: `{"cellar":"${cellar}","rack":"verified","keg":"k","value":${value},"timestamp":"${at}","received_at":"${at}","key_id":"k"}`,
    })),
  );
  await admin.alter(TOPIC, { 'message.timestamp.type': 'LogAppendTime' });
}

// Kafka finds messages by their time: behind newer ones, those of the test would not be found.
describeDashboard(
  'the verification of the last 24 hours',
  (onHarness) => {
    test(
      'turns red within its interval when a row is gone, and shows the hour and the reading',
      { timeout: 3 * TIMEOUT },
      async () => {
        const harness = onHarness();
        const { cellar } = harness.run.demo;
        const clickhouse = clickhouseOf(harness.run);
        await publishInThePast(harness.run, cellar);
        await expect.poll(() => clickhouse.count("rack = 'verified'"), { timeout: TIMEOUT }).toBe(3);
        // The hour was verified before the topic had anything of it.
        await clickhouse.command('TRUNCATE TABLE verified_hours');

        const page = await harness.signedIn();
        const badge = page.getByRole('region', { name: 'Verification of the last 24 h' });
        await page.goto(`/cellars/${cellar}`);
        await badge.getByText('Verified', { exact: true }).waitFor({ timeout: TIMEOUT });
        expect(await badge.textContent()).toMatch(
          /Last 24 h: \d+ acknowledged, \d+ stored, 0 missing, 0 duplicated, 0 altered/,
        );

        await clickhouse.command("ALTER TABLE readings_stored DELETE WHERE rack = 'verified' AND value = 2");
        await badge.getByText('Mismatch').waitFor({ timeout: TIMEOUT });
        expect(await badge.textContent()).toContain('1 missing, 0 duplicated, 0 altered');
        await expectNoBarrier(page, 'mismatch');

        await badge.getByRole('link', { name: 'Details by hour' }).click();
        await page.getByText('First findings').click();
        await page.getByText('"kind":"missing"').waitFor();
        await expectNoBarrier(page, 'hours');
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('link', { name: 'Export CSV' }).click(),
        ]);
        expect(download.suggestedFilename()).toBe(`${cellar}-verification.csv`);

        for (const [colorScheme, width] of [['dark', 390] as const, ['light', 390] as const]) {
          const other = await harness.signedIn({ colorScheme, width });
          for (const path of [`/cellars/${cellar}`, `/cellars/${cellar}/verification`]) {
            await other.goto(path);
            await other.getByText('Mismatch').waitFor();
            await expectNoBarrier(other, `${path} at ${width}, ${colorScheme}`);
          }
        }

        await clickhouse.close();
      },
    );
  },
  () => ownProduct({ sink: { VERIFY_INTERVAL_SECONDS: String(INTERVAL_SECONDS) } }),
);

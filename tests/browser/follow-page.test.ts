import { READINGS_TOPIC } from '@cellarman/contracts';
import { readRange, silentLogger } from '@cellarman/kafka';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { describeDashboard } from './describe-dashboard.ts';
import { expectNoBarrierAnywhere } from './expect-no-barrier.ts';
import { passTimeUntil } from './pass-time.ts';
import { sendReading } from './send-reading.ts';
import { untilStored } from './sender.ts';
import { signalSinks } from './sinks.ts';
import { everythingIn } from './steps.ts';

describeDashboard('following a reading', (onHarness) => {
  // Also after a failure: other files need the sink.
  afterEach(() => signalSinks(onHarness(), 'SIGCONT'));

  const path = (page: Page) => page.getByRole('region', { name: 'Path of the test reading' });

  async function send(page: Page, { apiKey, rack }: { apiKey: string; rack: string }): Promise<void> {
    await page.getByLabel('API key', { exact: true }).fill(apiKey);
    await page.getByLabel('Rack').fill(rack);
    await page.getByRole('button', { name: 'Send test reading' }).click();
  }

  test('a test reading shows partition, offset, replicas and when it is visible', async () => {
    const harness = onHarness();
    const { run } = harness;
    const page = await harness.signedIn();
    // Without readings the overview explains how to send the first one.
    await sendReading(run, run.demo);
    await untilStored(page, run.demo.cellar);
    await page.goto(`/cellars/${run.demo.cellar}`);
    await page.getByRole('link', { name: 'Follow a reading' }).click();
    const rack = `followed-${Date.now()}`;
    await send(page, { ...run.demo, rack });
    await path(page)
      .getByText(/^Acknowledged after [\d,]+ ms$/)
      .waitFor();
    await path(page)
      .getByText(/^Visible in ClickHouse within [\d,]+ ms$/)
      .waitFor();
    const text = await path(page).innerText();
    const [, partition, offset] = /In partition (\d+) at offset ([\d,]+)/.exec(text) ?? [];
    expect(text).toContain('with 1 of 1 replicas in sync');
    const at = BigInt((offset ?? '').replaceAll(',', ''));
    expect(await keyAt(run.kafkaBrokers, Number(partition), at)).toBe(`${run.demo.cellar}/${rack}`);
    // The field holds it until the page is left, and nothing else does.
    expect((await everythingIn(page)).split(run.demo.apiKey).length - 1).toBeLessThanOrEqual(1);

    await page.getByRole('link', { name: 'Link to this reading' }).click();
    const stored = page.getByRole('region', { name: 'The reading' });
    await stored.getByText(/^Stored in ClickHouse at /).waitFor();
    await stored.getByRole('link', { name: rack }).waitFor();
    expect(await everythingIn(page)).not.toContain(run.demo.apiKey);
  });

  test('each rejection says what to do', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    await page.goto(`/cellars/${harness.run.demo.cellar}/follow`);
    await send(page, { apiKey: 'cm_wrong', rack: 'r' });
    await path(page).getByText('Rejected: invalid API key').waitFor();
    await path(page).getByRole('link', { name: 'API keys' }).waitFor();
    // The session is not that of the key.
    await page.getByRole('button', { name: 'Send test reading' }).waitFor();
  });

  test('a reading that stays invisible leads to the pipeline, and appears when the sink is back', async () => {
    const harness = onHarness();
    const page = await harness.signedIn({ hasOwnProfile: true });
    await page.clock.install();
    await page.goto(`/cellars/${harness.run.demo.cellar}/follow`);
    await signalSinks(harness, 'SIGSTOP');
    await send(page, { ...harness.run.demo, rack: 'stalled' });
    const sentAt = Date.now();
    await path(page).getByText('Waiting until it is visible in ClickHouse').waitFor();
    await passTimeUntil(page, path(page).getByText(/^Not visible after \d+ s$/));
    await path(page).getByRole('link', { name: 'See how far the sink is behind' }).waitFor();
    // Only the clock of the page was moved on: the services have theirs.
    await expect.poll(() => Date.now() - sentAt).toBeGreaterThan(1_000);
    await signalSinks(harness, 'SIGCONT');
    await path(page)
      .getByText(/^Visible in ClickHouse within \d+,\d{3} ms$/)
      .waitFor({ timeout: 60_000 });
  });

  test('no serious barrier', async () => {
    const harness = onHarness();
    const { run } = harness;
    const page = await harness.signedIn();
    await page.goto(`/cellars/${run.demo.cellar}/follow`);
    await send(page, { ...run.demo, rack: 'barrier' });
    await path(page)
      .getByText(/^Visible in ClickHouse within /)
      .waitFor();
    await expectNoBarrierAnywhere(page, 'the path of a test reading');
    await page.goto(`/cellars/${run.demo.cellar}/live?rack=barrier`);
    await page.getByRole('row').filter({ hasText: 'barrier' }).first().getByRole('link').click();
    await page.getByText(/^Received by ingest at /).waitFor();
    await expectNoBarrierAnywhere(page, 'a stored reading');
  });
});

/** The key of the message at an offset of the topic. */
async function keyAt(brokers: string[], partition: number, offset: bigint): Promise<string | undefined> {
  const connection = { brokers, clientId: 'follow-page-test', logger: silentLogger };
  const from = new Map([[partition, offset]]);
  for await (const batch of readRange({ connection, topic: READINGS_TOPIC, from, to: 'end' })) {
    for (const message of batch.messages)
      if (BigInt(message.offset) === offset) return message.key?.toString();
  }
  return undefined;
}

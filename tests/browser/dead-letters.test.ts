import { createClient } from '@clickhouse/client';
import { READINGS_TOPIC } from '@cellarman/contracts';
import { createKafkaProducer, silentLogger } from '@cellarman/kafka';
import { clickhouseLogin } from '@cellarman/local-stack';
import type { RunFile } from '@cellarman/local-stack';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeDashboard } from './describe-dashboard.ts';
import { expectNoBarrierAnywhere } from './expect-no-barrier.ts';
import { sendReading } from './send-reading.ts';

const ARRIVAL_MS = 60_000;

async function publish(run: RunFile, key: string, value: Buffer): Promise<void> {
  const connection = { brokers: run.kafkaBrokers, clientId: 'dead-letters-test', logger: silentLogger };
  const producer = createKafkaProducer({ connection, topics: [READINGS_TOPIC] });
  await producer.connect();
  await producer.send(READINGS_TOPIC, [{ partition: 0, messages: [{ key, value }] }]);
  await producer.disconnect();
}

/** An operator's own rule makes dead letters of valid readings while `work` runs. */
async function rejecting(run: RunFile, name: string, rack: string, work: () => Promise<void>): Promise<void> {
  const client = createClient({ ...clickhouseLogin(run), database: run.clickhouseDatabase });
  const alter = (change: string) => client.command({ query: `ALTER TABLE readings_stored ${change}` });
  try {
    await alter(`ADD CONSTRAINT ${name} CHECK rack != '${rack}'`);
    await work();
  } finally {
    await alter(`DROP CONSTRAINT ${name}`);
    await client.close();
  }
}

const rows = (page: Page) => page.getByRole('table', { name: 'Dead letters' }).locator('tbody tr');

describeDashboard('dead letters in the dashboard', (onHarness) => {
  test('readings that ClickHouse rejected are replayed, all of a filter', { timeout: 180_000 }, async () => {
    const harness = onHarness();
    const { run } = harness;
    const rack = `press-${Date.now()}`;
    const rule = `no_frost_${Date.now()}`;
    const page = await harness.signedIn();
    await rejecting(run, rule, rack, async () => {
      for (const value of [17.25, 18.5]) {
        expect(await sendReading(run, { ...run.demo, rack, value })).toMatchObject({ status: 200 });
      }
      await page.goto('/dead-letters');
      await page.getByLabel('Search reasons').fill(rule);
      await expect.poll(() => rows(page).filter({ hasText: rack }).count(), { timeout: ARRIVAL_MS }).toBe(2);
    });
    await expect.poll(() => new URL(page.url()).searchParams.get('reason')).toBe(rule);
    expect(await page.getByRole('button', { name: 'Dismiss' }).count()).toBe(0);
    await expectNoBarrierAnywhere(page, 'the list of dead letters');

    await page.getByRole('button', { name: 'Replay all that match' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`2 open dead letters with “${rule}” in the reason are selected.`).waitFor();
    await expectNoBarrierAnywhere(page, 'the confirmation of a replay');
    await dialog.getByRole('button', { name: 'Replay 2 dead letters' }).click();
    await page.getByText('Stored 2 of 2 dead letters.').waitFor({ timeout: ARRIVAL_MS });
    await expectNoBarrierAnywhere(page, 'the outcome of a replay');
    await page.getByText(`No open dead letters match “${rule}”`).waitFor();
    await page.getByRole('link', { name: 'View in audit log' }).click();
    await page.getByRole('row', { name: rule }).getByText('Replayed dead letters').waitFor();
    await page.goto(`/cellars/${run.demo.cellar}/racks/${rack}`);
    await page.getByText('18.5').first().waitFor();
  });

  test('bytes are shown safely, stay open when they are replayed, and are discarded', async () => {
    const harness = onHarness();
    const { run } = harness;
    const rack = `bytes-${Date.now()}`;
    const text = Buffer.from('<img src=x onerror=alert(1)> \u202e');
    await publish(run, `${run.demo.cellar}/${rack}`, Buffer.concat([text, Buffer.from([0xff, 0xfe, 0x00])]));
    const page = await harness.signedIn();
    await page.goto('/dead-letters');
    const row = rows(page).filter({ hasText: rack });
    await row.getByText('not valid UTF-8').waitFor({ timeout: ARRIVAL_MS });
    // A long name is cut in two, for an ellipsis in its middle.
    expect(await row.textContent()).toMatch(new RegExp(`${run.demo.cellar} / ${rack}.*0 : \\d+`));

    await row.getByRole('link').focus();
    await page.keyboard.press('Enter');
    const letter = page.getByRole('dialog', { name: 'Dead letter' });
    await letter.getByText('invalid bytes are shown as').waitFor();
    const payload = letter.getByLabel('Payload', { exact: true });
    expect(await payload.innerText()).toContain('00000020  ff fe 00 ');
    await expectNoBarrierAnywhere(page, 'a dead letter');
    await page.keyboard.press('Escape');
    await row.getByRole('link').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await letter.getByText('Text', { exact: true }).click();
    await expect
      .poll(() => payload.innerText())
      .toBe('<img src=x onerror=alert(1)> \\u{202e}\ufffd\ufffd\\u{0}');

    await letter.getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('button', { name: 'Replay 1 dead letter' }).click();
    await page.getByText('Stored 0 of 1 dead letter. 1 still invalid').waitFor({ timeout: ARRIVAL_MS });
    await row.getByRole('button', { name: /^More actions/ }).click();
    await page.getByRole('menuitem', { name: 'Discard' }).click();
    await expectNoBarrierAnywhere(page, 'the confirmation of a discard');
    await page.getByRole('button', { name: 'Discard 1 dead letter' }).click();
    await page.getByText('1 dead letter discarded.').waitFor();
    await row.waitFor({ state: 'detached' });
    await page.getByText(/^Discarded \d+$/).click();
    await row.waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
  });
});

import { createClient } from '@clickhouse/client';
import { clickhouseLogin } from '@cellarman/local-stack';
import type { RunFile } from '@cellarman/local-stack';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeDashboard } from './describe-dashboard.ts';
import { sendReading } from './send-reading.ts';
import { newSender, untilStored } from './sender.ts';
import type { Sender } from './sender.ts';

const HOUR_MS = 3_600_000;
const MOST_CLICKS = 3;

/** Three racks with readings of last night and of now, one that has been silent for 40 minutes, and a rejected reading. */
async function fill(run: RunFile, sender: Sender): Promise<void> {
  const { cellar } = sender;
  const night = new Date(Date.now() - 10 * HOUR_MS).toISOString();
  for (const [rack, value] of [
    ['press-1', 11.5],
    ['press-2', 11.75],
    ['press-3', 18.25],
  ] as const) {
    for (const reading of [{ timestamp: night, value }, { value: value + 0.1 }])
      expect(await sendReading(run, { ...sender, rack, ...reading })).toMatchObject({ status: 200 });
  }
  const late = { ...sender, rack: 'press-1', timestamp: '2001-01-01T00:00:00Z' };
  expect(await sendReading(run, late)).toMatchObject({ status: 400 });
  const clickhouse = createClient({ ...clickhouseLogin(run), database: run.clickhouseDatabase });
  await clickhouse.command({
    query: `INSERT INTO readings_stored (cellar, rack, keg, value, timestamp, received_at, key_id)
      SELECT '${cellar}', 'silent-1', 'level', 1, now() - 2400, now() - 2400, 'k'`,
  });
  await clickhouse.close();
}

describeDashboard('seven tasks of a user without a manual, from the home page', (onHarness) => {
  test(`each takes at most ${MOST_CLICKS} clicks`, { timeout: 120_000 }, async () => {
    const harness = onHarness();
    const { run } = harness;
    const page = await harness.signedIn();
    const sender = await newSender(page);
    const { cellar } = sender;
    await fill(run, sender);
    await untilStored(page, cellar, 7);

    let clicks = 0;
    const click = async (target: Locator): Promise<void> => {
      clicks += 1;
      await target.click();
    };
    const open = () => click(page.getByRole('link', { name: cellar }).first());
    const tab = (name: string) => click(tabs(page).getByRole('link', { name, exact: true }));
    const series = page.getByRole('table', { name: 'Series' });

    const questions: Record<string, () => Promise<void>> = {
      async 'What was the temperature of press-1 last night?'() {
        await open();
        await tab('Data');
        await page.getByRole('img', { name: /of 3 racks, 6 readings/ }).waitFor();
        await series.getByRole('row', { name: /press-1.*11\.5/ }).waitFor();
      },
      async 'Which two racks differ?'() {
        await open();
        await tab('Data');
        await expect
          .poll(() => series.getByRole('row', { name: /press/ }).allInnerTexts())
          .toEqual([
            expect.stringMatching(/press-1.*11\.5/s),
            expect.stringMatching(/press-2.*11\.75/s),
            expect.stringMatching(/press-3.*18\.25/s),
          ]);
      },
      async 'What arrives right now?'() {
        await open();
        await tab('Live');
        expect(await sendReading(run, { ...sender, rack: 'press-2' })).toMatchObject({ status: 200 });
        await page.getByRole('row').filter({ hasText: 'press-2' }).first().waitFor();
      },
      async 'Is the pipeline behind?'() {
        const chip = page.getByRole('banner').getByRole('link', { name: /^Pipeline: / });
        await expect.poll(() => chip.innerText()).not.toMatch(/^(Pipeline status unknown)?$/);
      },
      async 'Which rack is silent?'() {
        const attention = page.getByRole('region', { name: 'Needs attention' });
        await click(attention.getByRole('link', { name: '1 rack silent for over 15 minutes' }));
        await page.getByRole('row', { name: 'silent-1' }).getByText('Silent', { exact: true }).waitFor();
      },
      async 'Why are readings rejected?'() {
        await open();
        const rejected = page.getByRole('table', { name: 'Rejected readings' });
        await rejected.getByText('Timestamp in the future or too old').waitFor();
      },
      async 'What happened to this one reading?'() {
        await open();
        await tab('Live');
        const row = page.getByRole('row').filter({ hasText: 'press-3' }).first();
        await click(row.getByRole('link'));
        await page.getByText(/^Stored in ClickHouse/).waitFor();
      },
    };
    for (const [question, answer] of Object.entries(questions)) {
      clicks = 0;
      await page.goto(`/?search=${cellar}`);
      await page
        .getByRole('row', { name: cellar })
        .getByText(/ago|just now/)
        .waitFor();
      await answer();
      expect(clicks, question).toBeLessThanOrEqual(MOST_CLICKS);
    }
  });
});

const tabs = (page: Page) => page.getByRole('navigation', { name: /^Cellar / });

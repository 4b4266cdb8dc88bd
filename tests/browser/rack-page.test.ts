import { expect, test } from 'vitest';
import { describeDashboard } from './describe-dashboard.ts';
import { expectNoBarrier, expectNoBarrierAnywhere, TWO_LOOKS } from './expect-no-barrier.ts';
import { sendReading } from './send-reading.ts';
import type { Harness } from './harness.ts';
import { newSender } from './sender.ts';
import type { Sender } from './sender.ts';

/** Posts a batch of readings, all in the last minutes. */
async function sendBatch({ run }: Harness, { cellar, apiKey }: Sender, readings: object[]): Promise<void> {
  const response = await fetch(`${run.ingestUrl}/api/v1/ingest/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify(readings.map((reading) => ({ cellar, ...reading }))),
  });
  expect(response.status).toBe(200);
}

const secondsAgo = (seconds: number): string => new Date(Date.now() - seconds * 1_000).toISOString();

describeDashboard('a rack in the dashboard', (onHarness) => {
  test('has a page with its values, readings and keys', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const sender = await newSender(page);
    const { cellar } = sender;
    await sendBatch(
      harness,
      sender,
      Array.from({ length: 30 }, (_, index) => [
        { rack: 'press-2', keg: 'temperature', value: 20.123 + index, timestamp: secondsAgo(index * 20) },
        {
          rack: 'press-2',
          keg: 'a keg with a rather long name',
          value: index,
          timestamp: secondsAgo(index * 20),
        },
      ]).flat(),
    );
    await sendBatch(harness, sender, [
      { rack: 'press-1', keg: 'temperature', value: 1, timestamp: secondsAgo(1) },
      { rack: 'press-3', keg: 'temperature', value: 3, timestamp: secondsAgo(1) },
    ]);
    const settings = await page.request.put(`/api/v1/cellars/${cellar}/kegs?keg=temperature`, {
      data: { unit: '°C', decimals: 1, goodRange: { max: 20 } },
    });
    expect(settings.status()).toBe(200);

    await page.goto(`/cellars/${cellar}/racks`);
    await page.getByRole('link', { name: 'press-2', exact: true }).click();
    await page.getByRole('heading', { name: 'press-2' }).waitFor();
    await page.getByRole('group', { name: 'Status' }).getByText('Receiving').waitFor();
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    const values = page.getByRole('list', { name: 'Latest values' });
    const temperature = values.getByRole('listitem').filter({ hasText: 'temperature' });
    await temperature.getByText('20.1').waitFor();
    await temperature.getByText('°C').first().waitFor();
    await temperature.getByText('Too high, good: at most 20.0').waitFor();
    await page.getByRole('img', { name: /temperature of press-2/ }).waitFor();
    await page.getByRole('combobox', { name: 'Keg of the readings' }).selectOption('temperature');
    await page.getByRole('columnheader', { name: 'Value in °C' }).waitFor();
    await page.getByRole('cell', { name: '↑ 20.123' }).waitFor();
    const keys = page.getByRole('table', { name: 'API keys used' });
    await keys.getByRole('row', { name: /press .*60/ }).waitFor();
    await expectNoBarrierAnywhere(page, 'the rack page');

    await page.getByRole('link', { name: 'Next rack: press-3' }).click();
    await page.getByRole('heading', { name: 'press-3' }).waitFor();
    expect(await page.getByRole('link', { name: /Next rack/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Previous rack: press-2' }).click();
    await page.getByRole('heading', { name: 'press-2' }).waitFor();
  });

  test('lists thousands of readings with few rows, page by page', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const sender = await newSender(page);
    const { cellar } = sender;
    const last = 899;
    await sendBatch(
      harness,
      sender,
      Array.from({ length: last + 1 }, (_, index) => ({
        ...{ rack: 'press', keg: 'count', value: index, timestamp: secondsAgo(index) },
      })),
    );
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/readings?')) requests.push(request.url());
    });
    await page.goto(`/cellars/${cellar}/racks/press`);
    const list = page.getByRole('region', { name: 'Readings of count' });
    await list.getByRole('cell', { name: '0', exact: true }).waitFor();
    expect(requests.every((url) => !url.includes('cursor='))).toBe(true);
    const end = list.getByRole('cell', { name: String(last), exact: true });
    await expect
      .poll(
        async () => {
          await list.press('End');
          return end.count();
        },
        { timeout: 60_000 },
      )
      .toBe(1);
    await page.getByText('All readings of the range.').waitFor();
    expect(requests.filter((url) => url.includes('cursor='))).toHaveLength(4);
    expect(await list.getByRole('row').count()).toBeLessThan(60);
  });

  test('shows its rejections, and says so if nothing of it is stored', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const sender = await newSender(page);
    const { cellar } = sender;
    const late = { ...sender, rack: 'press-7', timestamp: '2001-01-01T00:00:00Z' };
    expect(await sendReading(harness.run, late)).toMatchObject({ status: 400 });
    await page.goto(`/cellars/${cellar}/racks/press-7`);
    await page.getByText('No readings from this rack').waitFor();
    const rejected = page.getByRole('table', { name: 'Rejected readings' });
    await rejected.getByText('Timestamp in the future or too old').waitFor();
    await expectNoBarrier(page, 'a rack without readings');
  });

  test('has a page whatever its name is, and links to the drawer lead to it', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const sender = await newSender(page);
    const names = ['..', 'a/b', '~', '50% & more?', '<b>'];
    await sendBatch(
      harness,
      sender,
      names.map((rack) => ({ rack, keg: 'temperature', value: 11.4, timestamp: secondsAgo(1) })),
    );
    for (const rack of names) {
      await page.goto(`/cellars/${sender.cellar}/racks`);
      await page.getByRole('link', { name: rack, exact: true }).click();
      const value = page.getByRole('list', { name: 'Latest values' }).getByText('11.4');
      await value.waitFor();
      await page.getByRole('heading', { name: rack, exact: true }).waitFor();
      const url = page.url();
      await page.reload();
      await value.waitFor();

      await page.goto(`/cellars/${sender.cellar}/racks?rack=${encodeURIComponent(rack)}`);
      await value.waitFor();
      expect(page.url()).toBe(url);
    }
  });
});

describeDashboard('keg settings in the dashboard', (onHarness) => {
  test('are edited by owners, validated, and removed by emptying all fields', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const sender = await newSender(page);
    expect(await sendReading(harness.run, sender)).toMatchObject({ status: 200 });
    await page.goto(`/cellars/${sender.cellar}/settings`);
    const row = page.getByRole('table', { name: 'Kegs' }).getByRole('row', { name: /temperature/ });
    const edit = async (fields: Record<string, string>) => {
      await row.getByRole('button', { name: 'Edit temperature' }).click();
      for (const [label, value] of Object.entries(fields)) {
        await page.getByRole('dialog').getByLabel(label).fill(value);
      }
    };
    const save = page.getByRole('dialog').getByRole('button', { name: 'Save' });

    await edit({ Unit: '°C', Decimals: '1', 'Good from': '30', 'Good to': '20', Description: 'Mash' });
    expect(await save.isDisabled()).toBe(true);
    await page.getByRole('dialog').getByLabel('Good from').fill('-2.5');
    await expectNoBarrierAnywhere(page, 'the dialog of a keg', TWO_LOOKS);
    await save.click();
    await page.getByText('Settings of temperature saved.').waitFor();
    await row.getByText('-2.5 to 20.0\u00A0°C').waitFor();
    expect(await row.getByRole('cell').allInnerTexts()).toEqual([
      ...['temperature', '1', '°C', '1', '-2.5 to 20.0\u00A0°C', 'Mash', 'Edit'],
    ]);
    await expectNoBarrier(page, 'the settings');

    await edit({ Unit: '', Decimals: '', 'Good from': '', 'Good to': '', Description: '' });
    await save.click();
    await page.getByText('Settings of temperature removed.').waitFor();
    await page.goto(`/cellars/${sender.cellar}/audit`);
    await page.locator('td', { hasText: 'Removed the settings of a keg' }).waitFor();
    await page.getByText('Unit: none → °C').waitFor();
  });
});

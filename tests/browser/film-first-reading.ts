import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { animate } from './animated-png.ts';
import type { Frame } from './animated-png.ts';
import type { Harness } from './harness.ts';
import { sendSampleReadings } from './sample-readings.ts';
import { sendReading } from './send-reading.ts';
import { copied, store } from './steps.ts';

/** Must not exist yet: the film begins with it. */
const CELLAR = 'brewery';

/** Returns an animated picture of the first reading of a cellar, of live readings, and of a day in a chart. */
export async function filmFirstReading(harness: Harness): Promise<Buffer> {
  const page = await harness.signedIn({ width: 960, height: 600 });
  const frames: Frame[] = [];
  const show = async (ms: number) => void frames.push({ png: await page.screenshot(), ms });

  await page.goto('/');
  await page.getByRole('button', { name: 'Create cellar' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(CELLAR);
  await show(1_500);
  await page.getByRole('dialog').getByRole('button', { name: 'Create cellar' }).click();
  await page.getByRole('button', { name: 'Create New Key' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('gateway');
  await page.getByRole('button', { name: 'Create key' }).click();
  const apiKey = await page.getByLabel('API key', { exact: true }).innerText();
  await page.getByRole('button', { name: 'Copy Send a reading with curl' }).click();
  const command = await copied(page);
  await show(2_500);
  await store(page);
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('Waiting for the first reading').waitFor();
  await show(1_500);
  await promisify(execFile)('sh', ['-c', command]);
  await page.getByRole('img', { name: /^1 reading in/ }).waitFor();
  await show(2_500);

  await page.getByRole('link', { name: 'Live', exact: true }).click();
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  for (let reading = 0; reading < 6; reading++) {
    const rack = `ferment-${(reading % 4) + 1}`;
    await sendReading(harness.run, { cellar: CELLAR, apiKey, rack, value: 12 + reading / 8 });
    await page
      .getByRole('row')
      .nth(2 + reading)
      .waitFor();
    await show(500);
  }
  await sendSampleReadings({ ...harness.run, demo: { cellar: CELLAR, apiKey } }, page.request);
  await openChart(page, show);
  return animate(frames);
}

async function openChart(page: Page, show: (ms: number) => Promise<void>): Promise<void> {
  const racks = encodeURIComponent(JSON.stringify([1, 2, 3, 4].map((rack) => `ferment-${rack}`)));
  await page.goto(`/cellars/${CELLAR}/data?keg=temperature&racks=${racks}`);
  await page.getByRole('row', { name: /^ferment-4/ }).waitFor();
  await page.waitForTimeout(3_000);
  await show(2_000);
  const box = await page.locator('.u-over').boundingBox();
  if (box === null) throw new Error('the chart has no size');
  const y = box.y + box.height / 2;
  const moveTo = (share: number) => page.mouse.move(box.x + box.width * share, y);
  for (const share of [0.3, 0.36]) {
    await moveTo(share);
    await show(900);
  }
  await page.mouse.down();
  for (const share of [0.42, 0.48, 0.54]) {
    await moveTo(share);
    await show(250);
  }
  await page.mouse.up();
  await page.getByText(/one point = 1 min/).waitFor();
  await page.mouse.move(0, 0);
  await show(3_000);
}

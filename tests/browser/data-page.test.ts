import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectNoBarrierAnywhere, TWO_LOOKS } from './expect-no-barrier.ts';
import { describeDashboard } from './describe-dashboard.ts';
import type { Harness, NewPageOptions } from './harness.ts';
import { readDownload } from './read-download.ts';
import { sendReading } from './send-reading.ts';
import { newSender, untilStored } from './sender.ts';
import { copied } from './steps.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describeDashboard('the data page', (onHarness) => {
  test('shows the first racks, zooms, and its URL restores the view', async () => {
    const page = await openCellar(onHarness());
    const legend = page.getByRole('table', { name: 'Series' });
    await legend.getByRole('row', { name: /^mash-1/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('keg')).toBe('temperature');
    await page.getByText(/^mash-1 sent nothing for 2 h/).waitFor();
    await page.getByRole('button', { name: 'All ferment-*' }).click();
    await legend.getByRole('row', { name: /^mash-1/ }).waitFor({ state: 'detached' });
    expect(await legend.getByRole('row').count()).toBe(3);

    await page.getByText('6 h', { exact: true }).click();
    await page.getByText(/one point = 1 min/).waitFor();
    const plot = page.locator('.u-over');
    const box = await plotOf(page);
    const [left, right, middle] = [box.left + box.width * 0.6, box.left + box.width * 0.8, box.middle];
    await page.mouse.move(left, middle);
    // The values of all series at the crosshair.
    const values = page.locator('[aria-hidden] > div', { hasText: /^ferment-\d/ });
    await values.first().waitFor();
    expect(await values.allInnerTexts()).toEqual([
      expect.stringMatching(/ferment-1\s+11\.\d/),
      expect.stringMatching(/ferment-2\s+12\.\d/),
    ]);
    await page.mouse.down();
    await page.mouse.move(right, middle, { steps: 5 });
    await page.mouse.up();
    await page.waitForURL(/from=/);
    await page.getByText(/one point = 10 s/).waitFor();
    const [from, to] = rangeOf(page);
    expect((to - from) / (6 * HOUR)).toBeCloseTo(0.2, 1);

    await page.getByText('UTC', { exact: true }).click();
    const words = page.getByText(/UTC · one point = 10 s/);
    const shown = await words.innerText();
    await page.reload();
    await words.waitFor();
    expect(await words.innerText()).toBe(shown);
    expect(await legend.getByRole('row').count()).toBe(3);
    await plot.dblclick();
    await page.getByText(/one point = 1 min/).waitFor();
    expect(page.url()).not.toContain('from=');
  });

  test('begins with all racks while one chart has room for them', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const sender = await newSender(page);
    const racks = ['tank-1', 'tank-2', 'tank-3', 'tank-4', 'tank-5'];
    for (const rack of racks)
      expect(await sendReading(harness.run, { ...sender, rack })).toMatchObject({ status: 200 });
    await untilStored(page, sender.cellar, racks.length);
    await page.goto(`/cellars/${sender.cellar}/data`);
    const legend = page.getByRole('table', { name: 'Series' });
    for (const rack of racks) await legend.getByRole('row', { name: rack }).waitFor();
    const url = new URL(page.url());
    url.searchParams.set('racks', JSON.stringify(['tank-1']));
    await page.goto(url.href);
    await page.getByPlaceholder('Add rack (4 more)').waitFor();
  });

  test('moves with Shift and the mouse, or a horizontal wheel', async () => {
    const page = await openCellar(onHarness());
    await page.getByText('6 h', { exact: true }).click();
    const box = await plotOf(page);
    await page.keyboard.down('Shift');
    await page.mouse.move(box.left, box.middle);
    await page.mouse.down();
    await page.mouse.move(box.left + box.width / 4, box.middle, { steps: 5 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await page.waitForURL(/from=/);
    const [from, to] = rangeOf(page);
    expect((to - from) / HOUR).toBeCloseTo(6, 1);
    expect((Date.now() - to) / HOUR).toBeCloseTo(1.5, 0);
    await page.mouse.wheel(-box.width / 6, 0);
    await page.waitForURL((url) => !url.href.includes(encodeURIComponent(new Date(from).toISOString())));
    expect((from - rangeOf(page)[0]) / HOUR).toBeCloseTo(1, 1);
    // Shift without a movement leaves the range.
    const { href } = new URL(page.url());
    await page.locator('.u-over').click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Zoom out' }).focus();
    expect(page.url()).toBe(href);
  });

  test('on a phone one finger shows the values, two move and zoom', async () => {
    const page = await openCellar(onHarness(), { width: 390, height: 844, hasTouch: true });
    await page.getByText('6 h', { exact: true }).click();
    const { left, width, middle } = await plotOf(page);
    const devtools = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...positions: number[]) =>
      devtools.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: positions.map((share, id) => ({ x: left + width * share, y: middle, id })),
      });
    await touch('touchStart', 0.6);
    await touch('touchMove', 0.7);
    await touch('touchMove', 0.85);
    const values = page.locator('[aria-hidden] > div', { hasText: /^ferment-\d/ });
    await values.first().waitFor();
    expect(await values.allInnerTexts()).toEqual([
      expect.stringMatching(/ferment-1\s+11\.\d/),
      expect.stringMatching(/ferment-2\s+12\.\d/),
    ]);
    await touch('touchEnd');
    expect(page.url()).not.toContain('from=');

    await touch('touchStart', 0.4, 0.6);
    await touch('touchMove', 0.3, 0.7);
    await touch('touchMove', 0.2, 0.8);
    await touch('touchEnd');
    await page.waitForURL(/from=/);
    const [from, to] = rangeOf(page);
    expect((to - from) / HOUR).toBeCloseTo(2, 1);
    expect((Date.now() - (from + to) / 2) / HOUR).toBeCloseTo(3, 0);
  });

  test('follows new readings without polling', async () => {
    const harness = onHarness();
    const { page, cellar, apiKey } = await openFilledCellar(harness);
    // Without a stream, this range is polled every five minutes only.
    await page.getByText('30 d', { exact: true }).click();
    const row = page.getByRole('row', { name: /^ferment-1/ });
    await row.getByText('180', { exact: true }).waitFor();
    await sendReading(harness.run, { cellar, apiKey, rack: 'ferment-1' });
    await row.getByText('181', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Live', exact: true, pressed: true }).click();
    await page.waitForURL(/live=off/);
  });

  test('exports what it shows, with the same request for the command line', async () => {
    const page = await openCellar(onHarness());
    await page
      .getByRole('table', { name: 'Series' })
      .getByRole('row', { name: /^mash-1/ })
      .waitFor();
    const save = async (name: string) => {
      await page.getByRole('button', { name: 'Export' }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('menuitem', { name, exact: true }).click();
      return readDownload(await download);
    };
    const [head, row] = (await save('CSV')).toString().split('\n');
    expect(head).toBe('"rack","keg","start","average","minimum","maximum","last","readings"');
    expect(row).toMatch(/^"ferment-1","temperature",\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000000000Z,11\.\d/);
    const [line = ''] = (await save('NDJSON')).toString().split('\n');
    expect(JSON.parse(line)).toMatchObject({ rack: 'ferment-1', keg: 'temperature', unit: null });
    expect((await save('PNG')).subarray(1, 4).toString()).toBe('PNG');

    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Copy as curl' }).click();
    await page.getByText('Command copied').waitFor();
    expect(await copied(page)).toMatch(/^curl -G 'http[^']+\/series'[^]*--data-urlencode 'rack=ferment-2'/);

    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Readings of ferment-1 as CSV' }).click();
    const raw = (await readDownload(await download)).toString().trim().split('\n');
    expect(raw).toHaveLength(1 + 180);
  });

  test('has no serious barrier', async () => {
    const page = await openCellar(onHarness());
    await page.getByRole('table', { name: 'Series' }).getByText('mash-1').waitFor();
    await expectNoBarrierAnywhere(page, 'the data page', TWO_LOOKS);
    await page.getByText('Show as table').click();
    await page.getByRole('table', { name: /^temperature of 3 racks/ }).waitFor();
    await expectNoBarrierAnywhere(page, 'its table', TWO_LOOKS);
    await page.getByRole('button', { name: 'Custom…' }).click();
    await page.getByRole('button', { name: 'Show range' }).waitFor();
    await expectNoBarrierAnywhere(page, 'a custom range', TWO_LOOKS);
  });
});

async function plotOf(page: Page) {
  // On a phone the steps are longer.
  await page.getByText(/one point = [12] min/).waitFor();
  const box = await page.locator('.u-over').boundingBox();
  if (box === null) throw new Error('the chart has no size');
  return { left: box.x, width: box.width, middle: box.y + box.height / 2 };
}

/** The ends of the range in the URL. */
function rangeOf(page: Page): [from: number, to: number] {
  const { searchParams } = new URL(page.url());
  return [Date.parse(searchParams.get('from') ?? ''), Date.parse(searchParams.get('to') ?? '')];
}

const openCellar = async (...of: Parameters<typeof openFilledCellar>) => (await openFilledCellar(...of)).page;

/** Opens the page of a new cellar in which two racks send every minute for three hours, and one stopped two hours ago. */
async function openFilledCellar(harness: Harness, options?: NewPageOptions) {
  const page = await harness.signedIn(options);
  const { cellar, apiKey } = await newSender(page);
  const now = Date.now();
  const readings = ['ferment-1', 'ferment-2', 'mash-1'].flatMap((rack, index) =>
    Array.from({ length: 180 }, (_, ago) => ({
      ...{ cellar, rack, keg: 'temperature', value: 11.25 + index + ago / 1_000 },
      timestamp: new Date(now - (ago + 1) * MINUTE).toISOString(),
    })).slice(rack === 'mash-1' ? 120 : 0),
  );
  const response = await fetch(`${harness.run.ingestUrl}/api/v1/ingest/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify(readings),
  });
  expect(response.status).toBe(200);
  await untilStored(page, cellar, readings.length);
  await page.goto(`/cellars/${cellar}/data`);
  return { page, cellar, apiKey };
}

import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeDashboard } from './describe-dashboard.ts';
import { expectNoBarrierAnywhere } from './expect-no-barrier.ts';
import { sendReading } from './send-reading.ts';
import { newSender, untilStored } from './sender.ts';

describeDashboard('live readings', (onHarness) => {
  test('readings and rejections appear as they arrive, are filtered by the URL, and can be paused', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const { cellar, apiKey } = await newSender(page);
    await page.goto(`/cellars/${cellar}`);
    const send = async (rack: string) =>
      expect(await sendReading(harness.run, { cellar, apiKey, rack })).toMatchObject({ status: 200 });

    await page.getByRole('link', { name: 'Live', exact: true }).click();
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
    await page.getByText('No readings in the last ten minutes').waitFor();
    await send('oak-1');
    const row = (rack: string) => page.getByRole('row').filter({ hasText: rack });
    await row('oak-1').waitFor();
    await row('oak-1')
      .getByText(/^[\d.,]+ (ms|s)$/)
      .waitFor();
    await sendReading(harness.run, { cellar, apiKey, rack: 'oak-1', timestamp: 'yesterday' });
    await page.getByText('1 rejected in this minute').waitFor();

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('status').getByText('Paused', { exact: true }).waitFor();
    await send('oak-2');
    await page.getByText('+ 1 new reading').waitFor();
    expect(await row('oak-2').count()).toBe(0);
    await page.getByRole('button', { name: 'Resume' }).click();
    await row('oak-2').waitFor();
    await expectNoBarrierAnywhere(page, 'the live page');

    await page.goto(`/cellars/${cellar}/live?racks=elm-`);
    await page.getByText('No readings match').waitFor();
    await send('oak-3');
    await send('elm-1');
    await row('elm-1').waitFor();
    expect(await row('oak-3').count()).toBe(0);
  });

  test('each page follows one stream, which pauses in a hidden tab and resumes where it was', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const sender = { ...(await newSender(page)), rack: 'oak-1' };
    const send = async (value: number) =>
      expect(await sendReading(harness.run, { ...sender, value })).toMatchObject({ status: 200 });
    await send(1);
    await untilStored(page, sender.cellar);
    const streams: Request[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/live?')) streams.push(request);
    });
    const state = page.getByRole('main').getByRole('status');
    for (const path of ['', '/racks', '/racks/oak-1']) {
      streams.length = 0;
      await page.goto(`/cellars/${sender.cellar}${path}`);
      await state.getByText('Live', { exact: true }).waitFor();
      expect([path, streams.length]).toEqual([path, 1]);
    }
    const latest = page.getByRole('list', { name: 'Latest values' });
    await send(77.25);
    await latest.getByText('77.25').waitFor();
    await setVisibility(page, 'hidden');
    await state.getByText('Paused', { exact: true }).waitFor();
    await send(88.5);
    await setVisibility(page, 'visible');
    await latest.getByText('88.5').waitFor();
    expect(streams).toHaveLength(2);
    expect(await streams[1]?.headerValue('last-event-id')).toMatch(/^\d{4}-/);
  });
});

/** As the browser does when another tab is opened, or this one again. */
function setVisibility(page: Page, to: 'hidden' | 'visible'): Promise<unknown> {
  return page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${to}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'))`);
}

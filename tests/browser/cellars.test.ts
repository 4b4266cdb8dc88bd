import { expect, test } from 'vitest';
import { findBarriers } from './find-barriers.ts';
import { sendReading } from './send-reading.ts';
import { describeDashboard } from './describe-dashboard.ts';
import { createCellar, createKey, signIn, store } from './steps.ts';

describeDashboard('cellars in the dashboard', (onStage) => {
  test('what is refused shows on the overview without a reload, with the reason, the key and the rack', async () => {
    const stage = onStage();
    const page = await stage.signedIn();
    const cellar = await createCellar(page);
    const apiKey = await createKey(page, 'press');
    await store(page);
    await page.goto(`/cellars/${cellar}`);
    await page.getByText('Nothing was refused in the last day').waitFor();

    const late = { cellar, apiKey, rack: 'press-7', timestamp: '2001-01-01T00:00:00Z' };
    expect(await sendReading(stage.run, late)).toMatchObject({ status: 400 });
    const refused = page.getByRole('table', { name: 'Refused' }).getByRole('row', { name: /press-7/ });
    await refused.getByText('The timestamp is in the future or too old').waitFor();
    await refused.getByText('press', { exact: false }).first().waitFor();
    expect(await sendReading(stage.run, { cellar, apiKey })).toMatchObject({ status: 200 });
    await page
      .getByRole('group', { name: 'Refused in the last hour' })
      .getByText('1', { exact: true })
      .waitFor();
    expect(await findBarriers(page)).toEqual([]);

    // The list of cellars tells what arrives, and stands without it.
    await page.goto(`/?search=${cellar}`);
    const row = page.getByRole('row', { name: cellar });
    await row.getByText(/ago|just now/).waitFor();
    expect(await row.getByRole('cell').allInnerTexts()).toEqual([
      cellar,
      expect.stringMatching(/ago|just now/),
      '1',
      '1',
      '90 days',
    ]);
    await page.route('**/api/v1/query/**', (route) => route.abort());
    await page.reload();
    await row.getByText('Not known').first().waitFor();
  });

  test('a page says what it leaves out, and one that has run empty leads back', async () => {
    const stage = onStage();
    const page = await stage.signedIn();
    const { cellar, apiKey } = stage.run.demo;
    expect(await sendReading(stage.run, { cellar, apiKey })).toMatchObject({ status: 200 });
    const code = 'invalid_reading';
    const at = new Date().toISOString();
    const refusals = Array.from({ length: 200 }, (_, kind) => ({
      ...{ code, field: 'value', count: 1, lastAt: at, rack: null },
      key: { id: `${kind}`, name: `key ${kind}`, displayPrefix: 'cm_4fGh2' },
    }));
    await page.route('**/refusals?**', (route) => route.fulfill({ json: { refusals } }));
    const buckets = [{ at, code, refused: 731 }];
    await page.route('**/refusals/counts?**', (route) => route.fulfill({ json: { step: 60, buckets } }));
    await page.goto(`/cellars/${cellar}`);
    await page.getByRole('group', { name: 'Refused in the last hour' }).getByText('731').waitFor();
    await page.getByText('The 200 kinds met last are shown. There may be more.').waitFor();
    await page.unrouteAll();

    const isLaterPage = (url: URL): boolean =>
      url.pathname.startsWith('/api/') && url.searchParams.has('cursor');
    const nothing = {
      cellars: [],
      entries: [],
      keys: [],
      racks: [],
      tokens: [],
      maxDays: 365,
      nextCursor: null,
    };
    await page.route(isLaterPage, (route) => route.fulfill({ json: nothing }));
    for (const [path, first] of [
      [`/cellars/${cellar}/keys`, 'local stack'],
      [`/cellars/${cellar}/racks`, 'rack-1'],
      [`/cellars/${cellar}/audit`, 'Created a key'],
      ['/', cellar],
      ['/tokens', 'With a service token'],
    ] as const) {
      await page.goto(`${path}?cursor=passed`);
      const isEmpty = page.getByRole('heading', { name: 'Nothing is left on this page' });
      await isEmpty.waitFor();
      await page.getByRole('button', { name: 'First page' }).click();
      await isEmpty.waitFor({ state: 'detached' });
      await page.getByRole('main').getByText(first).filter({ visible: true }).first().waitFor();
      expect(page.url()).not.toContain('cursor');
    }
  });

  test('numbers stand below the name of their own cellar, and tell when they are not of now', async () => {
    const stage = onStage();
    const page = await stage.signedIn();
    const other = await createCellar(page);
    const apiKey = await createKey(page, 'press');
    await store(page);
    for (const to of [stage.run.demo, { cellar: other, apiKey }]) {
      expect(await sendReading(stage.run, to)).toMatchObject({ status: 200 });
    }
    await page.goto(`/cellars/${stage.run.demo.cellar}`);
    const chart = page.getByRole('img', { name: /readings? in the last hour/ });
    await chart.waitFor();

    await page.route(`**/${other}/counts?**`, (route) => route.abort());
    await page.getByRole('combobox', { name: 'Cellar' }).fill(other);
    await page.getByRole('option', { name: other }).click();
    await page.getByRole('heading', { name: other }).waitFor();
    expect(await chart.count()).toBe(0);
    await page.getByText("Couldn't load the chart").waitFor();
    await page.unrouteAll();
    await chart.waitFor();

    // An outage must not look like racks that have gone silent.
    const note = page.getByText(/^Not refreshed since \d\d:\d\d\. Readings are still being stored\.$/);
    await page.route('**/api/v1/query/**', (route) => route.abort());
    await note.waitFor();
    expect(await chart.count()).toBe(1);
    expect(await findBarriers(page)).toEqual([]);
    await page.unrouteAll();
    await note.waitFor({ state: 'detached' });
  });

  test('settings say what they change, and archiving asks for the name', async () => {
    const page = await onStage().signedIn();
    const cellar = await createCellar(page);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Days').fill('7');
    await page.getByRole('button', { name: 'Change retention' }).click();
    await page.getByText('Readings older than 7 days are hidden at once').waitFor();
    await page.getByRole('button', { name: 'Keep 7 days' }).click();
    await page.getByText(`Readings of ${cellar} are now kept for 7 days`).waitFor();

    await page.getByRole('button', { name: `Archive ${cellar}` }).click();
    const archive = page.getByRole('button', { name: 'Archive for good' });
    expect(await archive.isDisabled()).toBe(true);
    await page.getByLabel(`Type ${cellar} to go on`).fill(cellar);
    await archive.click();
    await page.getByText('This cellar is archived').waitFor();
  });

  test('an address opens the same view again, after signing in if need be', async () => {
    const stage = onStage();
    const page = await stage.signedIn();
    await page.goto('/cellars/demo/keys');
    await page.getByText('Expired', { exact: true }).click();
    await page.getByText('No key of this cellar is expired').waitFor();
    const address = page.url();

    const stranger = await stage.newPage();
    await stranger.goto(address);
    await signIn(stranger, stage.run.admin);
    await stranger.getByText('No key of this cellar is expired').waitFor();
    expect(stranger.url()).toBe(address);

    await stranger.getByRole('button', { name: 'Sign out' }).click();
    await stranger.getByRole('heading', { name: 'Sign in to Cellarman' }).waitFor();
    await stranger.goto(address);
    await stranger.getByRole('heading', { name: 'Sign in to Cellarman' }).waitFor();
  });
});

import { createClient } from '@clickhouse/client';
import { clickhouseLogin } from '@cellarman/local-stack';
import { expect, test, vi } from 'vitest';
import { findBarriers } from './find-barriers.ts';
import { sendReading } from './send-reading.ts';
import { describeDashboard } from './describe-dashboard.ts';
import { passTimeUntil } from './pass-time.ts';
import { newCellar, newSender, untilStored } from './sender.ts';
import { signIn, signOut } from './steps.ts';

describeDashboard('cellars in the dashboard', (onHarness) => {
  test('rejected readings appear on the overview without a reload, with the reason, the key and the rack', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const { cellar, apiKey } = await newSender(page);
    await page.goto(`/cellars/${cellar}`);
    await page.getByText('No rejected readings in the last day').waitFor();

    const late = { cellar, apiKey, rack: 'press-7', timestamp: '2001-01-01T00:00:00Z' };
    expect(await sendReading(harness.run, late)).toMatchObject({ status: 400 });
    const rejected = page
      .getByRole('table', { name: 'Rejected readings' })
      .getByRole('row', { name: /press-7/ });
    await rejected.getByText('Timestamp in the future or too old').waitFor();
    await rejected.getByText('press', { exact: false }).first().waitFor();
    expect(await sendReading(harness.run, { cellar, apiKey })).toMatchObject({ status: 200 });
    // The list of cellars is refreshed less often.
    for (const count of ['Rejected, last hour', 'Readings, last min']) {
      await page.getByRole('group', { name: count }).getByText('1', { exact: true }).waitFor();
    }
    expect(await findBarriers(page)).toEqual([]);

    // The list of cellars shows activity, and works without it.
    await page.goto(`/?search=${cellar}`);
    const row = page.getByRole('row', { name: cellar });
    await row.getByText(/ago|just now/).waitFor();
    expect(await row.getByRole('cell').allInnerTexts()).toEqual([
      cellar,
      'Rejecting',
      expect.stringMatching(/ago|just now/),
      '',
      '< 0.1',
      '0',
      '50.0 %',
      '1',
    ]);
    await row.getByRole('img', { name: '1 reading in the last 24 hours' }).waitFor();
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText('50 % rejected in the last hour').waitFor();
    await page.route('**/api/v1/query/**', (route) => route.abort());
    await page.reload();
    await row.getByText('Unknown').first().waitFor();
  });

  test('silent racks are named on the home page, and one click lists them', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const cellar = await newCellar(page);
    const { run } = harness;
    const clickhouse = createClient({ ...clickhouseLogin(run), database: run.clickhouseDatabase });
    // As if received 40 minutes ago.
    await clickhouse.command({
      query: `INSERT INTO readings_stored (cellar, rack, keg, value, timestamp, received_at, key_id)
        SELECT '${cellar}', if(number = 0, 'live-rack', 'silent-rack'), 'k', 1, at, at, 'k'
        FROM (SELECT number, now() - number * 2400 AS at FROM numbers(2))`,
    });
    await clickhouse.close();
    await page.goto(`/?search=${cellar}`);
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByRole('link', { name: '1 rack silent for over 15 minutes' }).click();
    const racks = page.getByRole('table', { name: 'Racks' });
    await racks.getByRole('row', { name: 'silent-rack' }).getByText('Silent', { exact: true }).waitFor();
    expect(await racks.getByRole('row', { name: 'live-rack' }).count()).toBe(0);
  });

  test('requests without a known API key are counted on the home page of owners', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const { cellar } = harness.run.demo;
    const unknown = { cellar, apiKey: 'cm_nobodyhasthiskey' };
    expect(await sendReading(harness.run, unknown)).toMatchObject({ status: 401 });
    const anonymous = await fetch(`${harness.run.ingestUrl}/api/v1/ingest`, { method: 'POST', body: '{}' });
    expect(anonymous.status).toBe(401);
    await page.goto('/');
    const counted = page.getByRole('region', { name: 'Requests without a known API key' });
    await vi.waitFor(
      async () => {
        await page.reload();
        await page.getByRole('table', { name: 'Cellars' }).waitFor();
        expect(await counted.allInnerTexts()).toEqual([
          expect.stringMatching(/[1-9]\d* requests? without an API key, [1-9]\d* requests? with an unknown/),
        ]);
      },
      { timeout: 30_000, interval: 500 },
    );
    expect(await findBarriers(page)).toEqual([]);
  });

  test('a truncated list says so, and an empty later page links to the first one', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const { cellar, apiKey } = harness.run.demo;
    expect(await sendReading(harness.run, { cellar, apiKey })).toMatchObject({ status: 200 });
    await untilStored(page, cellar);
    const code = 'invalid_reading';
    const at = new Date().toISOString();
    const rejections = Array.from({ length: 200 }, (_, kind) => ({
      ...{ code, field: 'value', count: 1, lastAt: at, rack: null },
      key: { id: `${kind}`, name: `key ${kind}`, displayPrefix: 'cm_4fGh2' },
    }));
    await page.route('**/rejections?**', (route) => route.fulfill({ json: { rejections } }));
    const buckets = [{ at, code, rejected: 731 }];
    await page.route('**/rejections/counts?**', (route) => route.fulfill({ json: { step: 60, buckets } }));
    await page.goto(`/cellars/${cellar}`);
    await page.getByRole('group', { name: 'Rejected, last hour' }).getByText('731').waitFor();
    await page.getByText('Showing the 200 most recent reasons.').waitFor();
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
      ['/tokens', 'Service tokens let scripts'],
    ] as const) {
      await page.goto(`${path}?cursor=passed`);
      const isEmpty = page.getByRole('heading', { name: 'This page is empty now' });
      await isEmpty.waitFor();
      await page.getByRole('button', { name: 'First page' }).click();
      await isEmpty.waitFor({ state: 'detached' });
      await page.getByRole('main').getByText(first).filter({ visible: true }).first().waitFor();
      expect(page.url()).not.toContain('cursor');
    }
  });

  test('a page shows the numbers of its own cellar, and says when they are stale', async () => {
    const harness = onHarness();
    const page = await harness.signedIn({ hasOwnProfile: true });
    const sender = await newSender(page);
    const { cellar: other } = sender;
    for (const to of [harness.run.demo, sender]) {
      expect(await sendReading(harness.run, to)).toMatchObject({ status: 200 });
    }
    for (const cellar of [harness.run.demo.cellar, other]) await untilStored(page, cellar);
    await page.clock.install();
    await page.goto(`/cellars/${harness.run.demo.cellar}`);
    const chart = page.getByRole('img', { name: /readings? in the last hour/ });
    await chart.waitFor();

    await page.route(`**/${other}/counts?**`, (route) => route.abort());
    await page.getByRole('combobox', { name: 'Cellar' }).fill(other);
    await page.getByRole('option', { name: other }).click();
    await page.getByRole('heading', { name: other }).waitFor();
    expect(await chart.count()).toBe(0);
    await passTimeUntil(page, page.getByText("Couldn't load the chart"));
    await page.unrouteAll();
    await passTimeUntil(page, chart);

    // An outage must not look like silent racks.
    const note = page.getByText(/^Not refreshed since \d\d:\d\d\. Newer data is not shown\.$/);
    await page.route('**/api/v1/query/**', (route) => route.abort());
    await passTimeUntil(page, note);
    expect(await chart.count()).toBe(1);
    expect(await findBarriers(page)).toEqual([]);
    await page.unrouteAll();
    await page.clock.fastForward(30_000);
    await note.waitFor({ state: 'detached' });
  });

  test('settings describe their effect, and archiving requires the name', async () => {
    const page = await onHarness().signedIn();
    const cellar = await newCellar(page);
    await page.goto(`/cellars/${cellar}/settings`);
    await page.getByLabel('Days').fill('7');
    await page.getByRole('button', { name: 'Change retention' }).click();
    await page.getByText('Readings older than 7 days are hidden immediately').waitFor();
    await page.getByRole('button', { name: 'Shorten to 7 days' }).click();
    await page.getByText(`Readings of ${cellar} are now kept for 7 days`).waitFor();

    await page.getByLabel('Keg rule').fill('{tag:sensor}.{field}');
    await page.getByRole('button', { name: 'Change keg rule' }).click();
    await page.getByText('Keg rule updated').waitFor();

    await page.getByRole('button', { name: `Archive ${cellar}` }).click();
    const archive = page.getByRole('button', { name: 'Archive permanently' });
    expect(await archive.isDisabled()).toBe(true);
    await page.getByLabel(`Type ${cellar} to confirm`).fill(cellar);
    await archive.click();
    await page.getByText('This cellar is archived').waitFor();
  });

  test('a URL reproduces the view, after signing in if necessary', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    await page.goto('/cellars/demo/keys');
    await page.getByText('Expired', { exact: true }).click();
    await page.getByText('No expired keys').waitFor();
    const url = page.url();

    const stranger = await harness.newPage();
    await stranger.goto(url);
    await signIn(stranger, harness.run.admin);
    await stranger.getByText('No expired keys').waitFor();
    expect(stranger.url()).toBe(url);

    await signOut(stranger);
    await stranger.goto(url);
    await stranger.getByRole('heading', { name: 'Sign in to Cellarman' }).waitFor();
  });
});

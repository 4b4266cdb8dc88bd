import { expect, test } from 'vitest';
import { describeDashboard } from './describe-dashboard.ts';
import { expectNoBarrier } from './expect-no-barrier.ts';
import { passTimeUntil } from './pass-time.ts';

/** What a failed page must not claim: from the browser, nobody knows it. */
const CLAIM = /readings are (still )?(being )?stored|independent/i;

describeDashboard('problems in the dashboard', (onHarness) => {
  test('an unknown cellar or page says so within the frame, and leads to the cellars', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    await page.goto('/cellars/nothing-here');
    await page.getByRole('heading', { name: 'Cellar nothing-here not found', level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0);
    expect(await page.getByRole('main').innerText()).not.toMatch(CLAIM);
    await expectNoBarrier(page, 'unknown cellar');
    await page.getByRole('link', { name: 'All cellars' }).click();
    await page.getByRole('heading', { name: 'Cellars' }).waitFor();

    await page.goto(`/cellars/${harness.run.demo.cellar}/nothing-here`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'API Keys', exact: true }).click();
    await page.getByRole('heading', { name: 'API Keys' }).waitFor();
    expect(await page.getByRole('banner').count()).toBe(1);
  });

  test('offline, a page that was not opened before opens, or says what is missing', async () => {
    const harness = onHarness();
    const page = await harness.signedIn({ hasOwnProfile: true });
    await page.route('**/assets/settings-page*', (route) => route.abort());
    const auditFile = page.waitForResponse(/assets\/audit-page/);
    await page.goto(`/cellars/${harness.run.demo.cellar}`);
    await (await auditFile).finished();

    await page.context().setOffline(true);
    await page.getByText('Showing the data loaded before.').waitFor();
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByText("Couldn't load the audit log").waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: "Couldn't load the page", level: 1 }).waitFor();
    await page.getByText('Data loads when the connection is back.').waitFor();
    await page.getByRole('link', { name: 'API Keys', exact: true }).waitFor();

    await page.unrouteAll();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByLabel('Days').waitFor();
    expectOnlyMissingFile(harness.takeComplaints());
  });

  test('after a release, a page whose file is gone offers to reload', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    await page.route('**/assets/settings-page*', (route) => route.fulfill({ status: 404 }));
    const isFetched = (url: URL): boolean => url.pathname === '/';
    await page.route(isFetched, (route) =>
      route.request().resourceType() === 'fetch'
        ? route.fulfill({ body: '<script type="module" src="/assets/index-new.js"></script>' })
        : route.continue(),
    );
    await page.goto(`/cellars/${harness.run.demo.cellar}/keys`);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Cellarman was updated' }).waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByLabel('Days').waitFor();
    expectOnlyMissingFile(harness.takeComplaints());
  });

  test('without the query service, the overview still lists rejections and claims nothing', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    await page.route('**/api/v1/query/**', (route) => route.abort());
    await page.goto(`/cellars/${harness.run.demo.cellar}`);
    await page.getByText("Couldn't load the overview").waitFor();
    await page.getByText('Ingestion may still be working').first().waitFor();
    await page.getByRole('heading', { name: 'Rejected readings' }).waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(CLAIM);
  });

  test('every page says when it was updated, and the list of keys when it is not any more', async () => {
    const harness = onHarness();
    const page = await harness.signedIn({ hasOwnProfile: true });
    const cellar = `/cellars/${harness.run.demo.cellar}`;
    for (const path of ['/', cellar, `${cellar}/racks`, `${cellar}/settings`, `${cellar}/audit`, '/people']) {
      await page.goto(path);
      await page.getByText(/^Updated \d\d:\d\d:\d\d$/).waitFor();
    }
    await page.clock.install();
    await page.goto(`${cellar}/keys`);
    await page.getByRole('table', { name: 'API keys' }).getByText('local stack').waitFor();
    await page.route('**/keys?**', (route) => route.abort());
    await passTimeUntil(page, page.getByText(/^Not refreshed since \d\d:\d\d/));
    await page.getByText('local stack').waitFor();
  });
});

/** The console has the error that the page shows. */
function expectOnlyMissingFile(complaints: readonly string[]): void {
  for (const complaint of complaints) expect(complaint).toContain("A file of this page couldn't be loaded");
}

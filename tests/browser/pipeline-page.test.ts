import { READINGS_TOPIC } from '@cellarman/contracts';
import { createKafkaProducer, silentLogger } from '@cellarman/kafka';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { describeDashboard } from './describe-dashboard.ts';
import { expectNoBarrier, expectNoBarrierAnywhere } from './expect-no-barrier.ts';
import { sendReading } from './send-reading.ts';
import { signalSinks, sinkPids } from './sinks.ts';
import { signIn } from './steps.ts';

const RECOVERY_MS = 60_000;

describeDashboard('pipeline health', (onHarness) => {
  // Also after a failure: other files need the sink.
  afterEach(() => signalSinks(onHarness(), 'SIGCONT'));

  const chip = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Pipeline: / });

  test('the top bar shows how far storage is behind, and leads to all replicas and partitions', async () => {
    const harness = onHarness();
    const { run } = harness;
    const page = await harness.signedIn();
    await page.goto('/');
    const isBehind = chip(page).filter({ hasText: /^0\.\d+ s behind$/ });
    await expect
      .poll(
        async () => {
          expect(await sendReading(run, run.demo)).toMatchObject({ status: 200 });
          return isBehind.count();
        },
        { timeout: RECOVERY_MS, interval: 1_000 },
      )
      .toBe(1);
    await chip(page).click();
    await page.getByRole('heading', { name: 'Pipeline', level: 1 }).waitFor();
    const replicas = page.getByRole('table', { name: 'Replicas' });
    await replicas.getByText('ready', { exact: true }).nth(1).waitFor();
    expect(await replicas.getByRole('row').count()).toBe(
      1 + run.ingestUrls.length + (await sinkPids(harness)).length,
    );
    const partitions = page.getByRole('table', { name: 'Partitions' }).getByRole('row');
    await expect.poll(() => partitions.count(), { timeout: 30_000 }).toBe(1 + 6);
    await page.getByText('1 of 1', { exact: true }).first().waitFor();
    await page.getByText('accepted', { exact: true }).waitFor();
    await page.getByRole('table', { name: 'Partitions' }).getByText('broker').first().waitFor();
    const history = page.getByRole('region', { name: 'History' });
    await history.getByRole('img', { name: /^Readings per second/ }).waitFor();
    await history.getByText('Show as table').first().click();
    // The reading of this test: accepted and stored.
    const recorded = history.getByRole('table', { name: 'Readings per second' });
    await expect.poll(() => recorded.innerText(), { timeout: 30_000 }).toMatch(/0\.\d/);
    await expectNoBarrierAnywhere(page, 'the pipeline page');
    await history.getByText('Last day').click();
    await page.waitForURL('**/pipeline?range=day');
  });

  test('members see how far storage is behind, and no page', async () => {
    const harness = onHarness();
    const owner = await harness.signedIn();
    const email = `member-${Date.now()}@cellars.example.com`;
    const data = { email, role: 'member', cellars: [harness.run.demo.cellar] };
    const invited = await owner.request.post('/api/v1/invitations', { data });
    const { token } = (await invited.json()) as { token: string };
    const password = 'three barrels of oak';
    const page = await harness.newPage();
    const joined = await page.request.post('/api/v1/join', { data: { token, password } });
    expect(joined.status()).toBe(201);
    await page.context().clearCookies();
    await page.goto('/sign-in');
    await signIn(page, { email, password });
    const banner = page.getByRole('banner');
    await banner.getByText(/^(Up to date|[\d.]+ s behind)$/).waitFor();
    expect(await chip(page).count()).toBe(0);
    for (const path of ['/pipeline', '/dead-letters']) {
      await page.goto(path);
      await page.getByText('Only owners can see this page').waitFor();
    }
  });

  test('a sink that hangs is silent, never healthy, until it reports again', async () => {
    const page = await onHarness().signedIn();
    await page.goto('/pipeline');
    await page.getByRole('table', { name: 'Replicas' }).getByText('ready', { exact: true }).nth(1).waitFor();
    await signalSinks(onHarness(), 'SIGSTOP');
    const problems = page.getByRole('status', { name: 'Problems' });
    await problems.getByText('Sink does not report').waitFor();
    await problems.getByText(/^sink on .* has not reported for \d+ s\.$/).waitFor();
    await problems.getByText('docs/runbooks/CellarmanServiceDown.md').waitFor();
    await page.getByRole('table', { name: 'Replicas' }).getByText('silent', { exact: true }).waitFor();
    await chip(page).filter({ hasText: 'Sink does not report' }).waitFor();
    await signalSinks(onHarness(), 'SIGCONT');
    await problems.getByText('Sink does not report').waitFor({ state: 'detached', timeout: RECOVERY_MS });
    await page.getByRole('table', { name: 'Replicas' }).getByText('silent').waitFor({ state: 'detached' });
  });

  test('open dead letters are counted, until they are discarded', async () => {
    const harness = onHarness();
    const { run } = harness;
    const page = await harness.signedIn();
    await page.goto('/pipeline');
    const connection = { brokers: run.kafkaBrokers, clientId: 'pipeline-page-test', logger: silentLogger };
    const producer = createKafkaProducer({ connection, topics: [READINGS_TOPIC] });
    await producer.connect();
    const messages = [{ key: 'demo', value: Buffer.from('not a reading of the pipeline page') }];
    await producer.send(READINGS_TOPIC, [{ partition: 0, messages }]);
    await producer.disconnect();
    const title = page.getByText(/^\d+ open dead letters?$/);
    await title.waitFor({ timeout: RECOVERY_MS });
    await expectNoBarrier(page, 'the pipeline page with dead letters');
    const problem = chip(page).filter({ hasText: 'New dead letters' });
    expect(await problem.getAttribute('href')).toBe('/dead-letters');
    await title.click();
    await page.getByRole('heading', { name: 'Dead letters', level: 1 }).waitFor();
    await page.goBack();
    expect((await page.request.post('/api/v1/dead-letters/discard', { data: {} })).status()).toBe(200);
    await title.waitFor({ state: 'detached', timeout: RECOVERY_MS });
  });
});

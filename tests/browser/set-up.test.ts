import { expect, onTestFinished, test, vi } from 'vitest';
import { run } from '../../services/key-service/tests/key-service-process.ts';
import { createTestDatabase } from '../../services/key-service/tests/test-database.ts';
import { expectNoBarrier } from './expect-no-barrier.ts';
import { describeDashboard } from './describe-dashboard.ts';
import type { Harness } from './harness.ts';
import { signOut } from './steps.ts';

describeDashboard('first start', (onHarness) => {
  test('the token from the log creates the first account', async () => {
    const harness = onHarness();
    const { url, setUpToken } = await startWithEmptyDatabase(harness);
    const page = await harness.newPage({ baseURL: url, width: 390 });
    await page.goto('/');
    await page.getByRole('heading', { name: 'Set up Cellarman' }).waitFor();
    await expectNoBarrier(page, 'set-up');

    await page.getByLabel('Email').fill('mara@example.com');
    await page.getByLabel('Password', { exact: true }).fill('three barrels of oak');
    await page.getByLabel('Token').fill('x'.repeat(43));
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText("Couldn't create the account").waitFor();
    await page.getByLabel('Token').fill(` ${setUpToken}\n`);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('No cellars yet').waitFor();

    await signOut(page);
    await page.goto('/set-up');
    await page.getByRole('heading', { name: 'Sign in to Cellarman' }).waitFor();
  });
});

/** Another key-service beside the one of the product, in which nobody can sign in yet. */
async function startWithEmptyDatabase({
  run: product,
}: Harness): Promise<{ url: string; setUpToken: string }> {
  const database = await createTestDatabase(product.databaseUrl);
  onTestFinished(() => database.stop());
  const service = run({
    HOST: '127.0.0.1',
    PORT: '0',
    DEREGISTRATION_DELAY_MS: '0',
    DATABASE_URL: database.url,
    REDIS_URL: product.redisUrl,
    REDIS_PREFIX: `${new URL(database.url).pathname}:`,
    INTERNAL_TOKEN: 'internal-token-of-the-tests',
  });
  onTestFinished(async () => {
    service.child.kill();
    await service.exit;
  });
  const url = await service.url();
  const setUpToken = await vi.waitFor(() => {
    const found = /"setUpToken":"([\w-]{43})"/.exec(service.output())?.[1];
    expect(found).toBeDefined();
    return found ?? '';
  }, 20_000);
  return { url, setUpToken };
}

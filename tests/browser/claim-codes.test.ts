import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { describeDashboard } from './describe-dashboard.ts';
import { expectNoBarrierAnywhere } from './expect-no-barrier.ts';
import { copied, createCellar, everythingIn } from './steps.ts';

describeDashboard('claim codes in the dashboard', (onHarness) => {
  test('are created, shown once, claimed by a device, listed with their keys, and revoked with them', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    await page.goto('/');
    const cellar = await createCellar(page);
    await page.goto(`/cellars/${cellar}/keys`);
    await page.getByRole('button', { name: 'Create claim code' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('greenhouse sensors');
    await dialog.getByLabel('Rack prefix').fill('greenhouse-');
    await dialog.getByLabel('Number of keys').fill('50');
    await expectNoBarrierAnywhere(page, 'the form');
    await dialog.getByRole('button', { name: 'Create claim code' }).click();
    await page.getByRole('button', { name: 'Copy Claim code' }).click();
    const claimCode = await copied(page);
    await expectNoBarrierAnywhere(page, 'the claim code');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    const row = page.getByRole('row').filter({ hasText: 'greenhouse sensors' });
    await row.getByText('0 of 50').waitFor();
    expect(await everythingIn(page)).not.toContain(claimCode);

    const deviceSecret = randomBytes(32).toString('base64url');
    const response = await fetch(`${harness.run.keyServiceUrl}/api/v1/claims`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ claimCode, rack: 'greenhouse-1', deviceSecret }),
    });
    expect(response.status).toBe(201);
    await page.reload();
    await row.getByText('1 of 50').waitFor();
    await expectNoBarrierAnywhere(page, 'the list');
    await page.getByRole('link', { name: 'greenhouse-1' }).click();
    await page.getByText('Claimed with').waitFor();
    await page.getByText('greenhouse sensors').waitFor();

    await page.goto(`/cellars/${cellar}/keys`);
    await row.getByRole('button', { name: 'Revoke greenhouse sensors' }).click();
    await dialog.getByLabel('Also revoke its 1 active key').check();
    await expectNoBarrierAnywhere(page, 'the confirmation');
    await dialog.getByRole('button', { name: 'Revoke claim code' }).click();
    await page.getByText('Claim code “greenhouse sensors” revoked with 1 key.').waitFor();
    await row.getByText('Revoked', { exact: true }).waitFor();
    await page.getByText('No active keys').waitFor();
    await page.goto(`/cellars/${cellar}/audit`);
    for (const text of ['Revoked a claim code', 'Claimed a key', 'Created a claim code'])
      await page.getByText(text).filter({ visible: true }).first().waitFor();
  });
});

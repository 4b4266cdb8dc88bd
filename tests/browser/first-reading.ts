/* eslint-disable no-console -- the result goes to the terminal */
/**
 * Walks through docs/first-reading.md as its reader would, on a product that runs already, takes the pictures of that
 * document and says how long each step took:
 *
 *     CELLARMAN_RUN=.local/run.json node tests/browser/first-reading.ts
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { PICTURES } from './pictures.ts';
import { openRunningHarness } from './harness.ts';
import { copied, signIn, store } from './steps.ts';

const CELLAR = 'boiler-house';

const harness = await openRunningHarness();
try {
  const page = await harness.newPage({ width: 1000, height: 640 });
  const begun = performance.now();
  const done = async (name: string, picture: Page = page): Promise<void> => {
    console.log(`${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${name}`);
    await picture.screenshot({ path: join(PICTURES, `first-reading-${name}.png`) });
  };

  await page.goto('/');
  await page.getByLabel('Email').fill(harness.run.admin.email);
  await done('1-sign-in');
  await signIn(page, harness.run.admin);

  await page.getByRole('button', { name: 'Create cellar' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(CELLAR);
  await done('2-create-cellar');
  await page.getByRole('dialog').getByRole('button', { name: 'Create cellar' }).click();

  await page.getByRole('button', { name: 'Create New Key' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('first rack');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: 'Copy Send a reading with curl' }).click();
  const command = await copied(page);
  await done('3-copy');
  await store(page);

  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('Waiting for the first reading').waitFor();
  const { stdout } = await promisify(execFile)('sh', ['-c', command]);
  console.log(stdout);
  await page.getByRole('img', { name: /^1 reading in/ }).waitFor();
  await done('4-chart');
} finally {
  await harness.close();
}

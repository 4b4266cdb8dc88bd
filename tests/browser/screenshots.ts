/* eslint-disable no-console -- the result goes to the terminal */
/**
 * Takes the pictures of the README from a product that runs already and has readings:
 *
 *     CELLARMAN_RUN=.local/run.json node tests/browser/screenshots.ts
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PICTURES } from './pictures.ts';
import { openRunningHarness } from './harness.ts';
import type { NewPageOptions } from './harness.ts';

interface Picture extends NewPageOptions {
  name: string;
  /** After the cellar. */
  path: string;
  /** A text that is there when the page is complete. */
  shows: string;
}

const LIST: Picture[] = [
  { name: 'overview', path: '', shows: 'Show as table' },
  { name: 'api-keys-dark', path: '/keys', shows: 'local stack', colorScheme: 'dark' },
  { name: 'racks-phone', path: '/racks', shows: 'Last hour', width: 390, height: 700 },
];

const harness = await openRunningHarness();
try {
  await mkdir(PICTURES, { recursive: true });
  for (const { name, path, shows, ...options } of LIST) {
    const page = await harness.signedIn({ width: 1100, height: 640, ...options });
    await page.goto(`/cellars/${harness.run.demo.cellar}${path}`);
    await page.getByText(shows).first().waitFor();
    const file = join(PICTURES, `${name}.png`);
    await page.screenshot({ path: file });
    console.log(file);
  }
} finally {
  await harness.close();
}

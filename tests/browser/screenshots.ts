/* eslint-disable no-console -- the result goes to the terminal */
/**
 * Takes the pictures of the README from a running product, to which it first sends a day of readings. Run it once on a fresh
 * product, because the animated picture begins with a new cellar:
 *
 *     CELLARMAN_RUN=.local/run.json npx -y pnpm@12 exec node tests/browser/screenshots.ts
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filmFirstReading } from './film-first-reading.ts';
import { PICTURES } from './pictures.ts';
import { openRunningHarness } from './harness.ts';
import type { NewPageOptions } from './harness.ts';
import { sendSampleReadings } from './sample-readings.ts';

interface Picture extends NewPageOptions {
  name: string;
  /** After the cellar. */
  path: string;
  /** A text that is there when the page is complete. */
  shows: string;
}

const RACKS = encodeURIComponent(JSON.stringify(['ferment-1', 'ferment-2', 'ferment-3', 'ferment-4']));
const LIST: Picture[] = [
  { name: 'data', path: `/data?keg=temperature&racks=${RACKS}`, shows: 'Average', height: 760 },
  { name: 'overview', path: '', shows: 'Show as table' },
  { name: 'rack-phone', path: '/racks/ferment-3', shows: 'API keys used', width: 390, height: 844 },
];

const harness = await openRunningHarness();
try {
  await mkdir(PICTURES, { recursive: true });
  await sendSampleReadings(harness.run, (await harness.signedIn()).request);
  for (const { name, path, shows, ...options } of LIST) {
    const page = await harness.signedIn({ width: 1100, height: 640, ...options });
    await page.goto(`/cellars/${harness.run.demo.cellar}${path}`);
    await page.getByText(shows).first().waitFor();
    // Charts are drawn after their figures have arrived. The network is never idle: the live stream stays open.
    await page.waitForTimeout(3_000);
    const file = join(PICTURES, `${name}.png`);
    await page.screenshot({ path: file });
    console.log(file);
  }
  await writeFile(join(PICTURES, 'first-reading.png'), await filmFirstReading(harness));
} finally {
  await harness.close();
}

import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, BrowserServer } from 'playwright-core';

/** Debian's, which `.ci/run` installs, and where other systems have theirs. */
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Undefined: this machine has none. */
export const chromiumPath = process.env['CHROMIUM'] ?? PLACES.find((place) => existsSync(place));

export const NO_CHROMIUM =
  'No Chromium: the browser tests are skipped. Install it (Debian: apt-get install chromium) or name it in CHROMIUM.';

// As root, as in a container, Chromium has no sandbox. It only sees our own pages here.
const ARGUMENTS = ['--no-sandbox'];

export function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error(NO_CHROMIUM);
  return chromium.launch({ executablePath: chromiumPath, args: ARGUMENTS });
}

/** Starts one for several test files. Undefined: this machine has none. */
export function serveChromium(): Promise<BrowserServer> | undefined {
  return chromiumPath === undefined
    ? undefined
    : chromium.launchServer({ executablePath: chromiumPath, args: ARGUMENTS });
}

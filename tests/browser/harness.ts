import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { RunFile } from '@cellarman/local-stack';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { signIn } from './steps.ts';

/** The whole product with its dashboard in a real browser. */
export interface Harness {
  run: RunFile;
  /** Where the product keeps everything; its logs are in `logs`. */
  dataDir: string;
  /** A page as for a person who comes for the first time: no cookie, nothing kept. */
  newPage(options?: NewPageOptions): Promise<Page>;
  /** The same, after signing in as the owner. */
  signedIn(options?: NewPageOptions): Promise<Page>;
  /** What browsers complained about since the last call: broken scripts, and what the content policy rejected. */
  takeComplaints(): string[];
  close(): Promise<void>;
}

export interface NewPageOptions {
  colorScheme?: 'light' | 'dark';
  width?: number;
  height?: number;
  hasTouch?: boolean;
  /** Another dashboard than that of the product. */
  baseURL?: string;
}

/** Opens a browser on a running product. */
export async function openHarness({ run, dataDir }: Pick<Harness, 'run' | 'dataDir'>): Promise<Harness> {
  const browser = await launchChromium();
  return { ...createPages(run, browser), run, dataDir, close: () => browser.close() };
}

/** Opens a browser on the product whose run.json CELLARMAN_RUN names. */
export async function openRunningHarness(): Promise<Harness> {
  const runFile = process.env['CELLARMAN_RUN'];
  if (runFile === undefined) throw new Error('CELLARMAN_RUN must name the run.json of a running product');
  const run = JSON.parse(await readFile(runFile, 'utf8')) as RunFile;
  return openHarness({ run, dataDir: dirname(runFile) });
}

function createPages(
  run: RunFile,
  browser: Browser,
): Pick<Harness, 'newPage' | 'signedIn' | 'takeComplaints'> {
  let complaints: string[] = [];

  async function newPage({
    colorScheme = 'light',
    width = 1280,
    height = 900,
    hasTouch = false,
    baseURL = run.dashboardUrl,
  }: NewPageOptions = {}): Promise<Page> {
    const context: BrowserContext = await browser.newContext({
      baseURL,
      viewport: { width, height },
      hasTouch,
      colorScheme,
      // Nothing fades in: a test would only wait for it.
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(30_000);
    const page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      // An error response is no error of the page, but appears in the console too.
      const isAnswer = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isAnswer) complaints.push(message.text());
    });
    return page;
  }

  return {
    newPage,
    async signedIn(options) {
      const page = await newPage(options);
      await page.goto('/sign-in');
      await signIn(page, run.admin);
      await page.getByRole('heading', { name: 'Cellars' }).waitFor();
      return page;
    },
    takeComplaints() {
      const taken = complaints;
      complaints = [];
      return taken;
    },
  };
}

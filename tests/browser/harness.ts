import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { RunFile } from '@cellarman/local-stack';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';

/** The whole product with its dashboard in a real browser. */
export interface Harness {
  run: RunFile;
  /** Where the product keeps everything; its logs are in `logs`. */
  dataDir: string;
  /** A page as for a person who comes for the first time: no cookie, nothing kept. */
  newPage(options?: NewPageOptions): Promise<Page>;
  /** The same with the session of the owner, who signs in once. It has not opened anything yet. */
  signedIn(options?: NewPageOptions): Promise<Page>;
  /** What browsers complained about since the last call: broken scripts, and what the content policy rejected. */
  takeComplaints(): string[];
  /** Open pages would go on polling. */
  closePages(): Promise<void>;
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
export async function openHarness(
  { run, dataDir }: Pick<Harness, 'run' | 'dataDir'>,
  browser: Promise<Browser> = launchChromium(),
): Promise<Harness> {
  const opened = await browser;
  return { ...createPages(run, opened), run, dataDir, close: () => opened.close() };
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
): Pick<Harness, 'newPage' | 'signedIn' | 'takeComplaints' | 'closePages'> {
  let complaints: string[] = [];
  let session: ReturnType<typeof signIn> | undefined;

  async function signIn() {
    const context = await browser.newContext({ baseURL: run.dashboardUrl });
    const response = await context.request.post('/api/v1/session', { data: run.admin });
    if (response.status() !== 201) throw new Error(`cannot sign in: ${await response.text()}`);
    const cookies = await context.cookies();
    await context.close();
    return cookies;
  }

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
      session ??= signIn();
      await page.context().addCookies(await session);
      return page;
    },
    async closePages() {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    takeComplaints() {
      const taken = complaints;
      complaints = [];
      return taken;
    },
  };
}

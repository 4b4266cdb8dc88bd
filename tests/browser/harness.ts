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
  /**
   * A page with the session of the owner. It has not opened anything yet. All of these share a profile,
   * so that the browser fetches and compiles the dashboard once; what the pages of the last test have stored is gone.
   */
  signedIn(options?: NewPageOptions): Promise<Page>;
  /** The owner signs in again: only for some minutes, a session may do what needs a confirmed password. */
  forgetSession(): void;
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
  /** For tests that stop the clock or cut the network, both of which belong to a profile. */
  hasOwnProfile?: boolean;
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

function createPages(run: RunFile, browser: Browser): Omit<Harness, 'run' | 'dataDir' | 'close'> {
  let complaints: string[] = [];
  let session: ReturnType<typeof signIn> | undefined;
  let shared: Promise<BrowserContext> | undefined;

  async function signIn() {
    const context = await browser.newContext({ baseURL: run.dashboardUrl });
    const response = await context.request.post('/api/v1/session', { data: run.admin });
    if (response.status() !== 201) throw new Error(`cannot sign in: ${await response.text()}`);
    const cookies = await context.cookies();
    await context.close();
    return cookies;
  }

  async function newProfile({ hasTouch = false, baseURL = run.dashboardUrl }: NewPageOptions) {
    const context = await browser.newContext({
      baseURL,
      hasTouch,
      // Nothing fades in: a test would only wait for it.
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(30_000);
    return context;
  }

  async function openPage(context: BrowserContext, options: NewPageOptions): Promise<Page> {
    const { colorScheme = 'light', width = 1280, height = 900 } = options;
    const page = await context.newPage();
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      // An error response is no error of the page, but appears in the console too.
      const isAnswer = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isAnswer) complaints.push(message.text());
    });
    return page;
  }

  /** Also removes what a page has stored, unless another page of the same test uses it. */
  async function openSharedPage(options: NewPageOptions): Promise<Page> {
    const context = await (shared ??= newProfile({}));
    const isFirst = context.pages().length === 0;
    const page = await openPage(context, options);
    if (isFirst) {
      await context.clearCookies();
      const devtools = await context.newCDPSession(page);
      const { origin } = new URL(run.dashboardUrl);
      await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' });
      await devtools.detach();
    }
    return page;
  }

  const newPage = async (options: NewPageOptions = {}): Promise<Page> =>
    openPage(await newProfile(options), options);

  return {
    newPage,
    async signedIn(options = {}) {
      const { hasTouch = false, hasOwnProfile = false } = options;
      const page = await (hasTouch || hasOwnProfile ? newPage(options) : openSharedPage(options));
      session ??= signIn();
      await page.context().addCookies(await session);
      return page;
    },
    forgetSession: () => void (session = undefined),
    async closePages() {
      const kept = await shared;
      const pages = kept?.pages() ?? [];
      const others = browser.contexts().filter((context) => context !== kept);
      await Promise.all([...pages, ...others].map((opened) => opened.close()));
    },
    takeComplaints() {
      const taken = complaints;
      complaints = [];
      return taken;
    },
  };
}

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startProduct } from '@cellarman/local-stack';
import type { RunFile } from '@cellarman/local-stack';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { signIn } from './steps.ts';

/** The whole product with its dashboard in a real browser. */
export interface Stage {
  run: RunFile;
  /** Where the product keeps everything; its logs are in `logs`. */
  dataDir: string;
  /** A page as for a person who comes for the first time: no cookie, nothing kept. */
  newPage(options?: NewPageOptions): Promise<Page>;
  /** The same, after signing in as the administrator. */
  signedIn(options?: NewPageOptions): Promise<Page>;
  /** What browsers complained about since the last call: broken scripts, and what the content policy refused. */
  takeComplaints(): string[];
  stop(): Promise<void>;
}

export interface NewPageOptions {
  colorScheme?: 'light' | 'dark';
  width?: number;
  height?: number;
  /** Another dashboard than that of the product. */
  baseURL?: string;
}

/** CELLARMAN_RUN may name the run.json of a product that runs already. */
export async function startStage(): Promise<Stage> {
  const undo: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    const [{ run, dataDir }, browser] = await Promise.all([productForTests(undo), launchChromium()]);
    undo.push(() => browser.close());
    return { ...createPages(run, browser), run, dataDir, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function productForTests(undo: (() => Promise<void>)[]): Promise<Pick<Stage, 'run' | 'dataDir'>> {
  const running = process.env['CELLARMAN_RUN'];
  if (running !== undefined && running !== '') {
    return { run: JSON.parse(await readFile(running, 'utf8')) as RunFile, dataDir: dirname(running) };
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'cellarman-browser-'));
  undo.push(() => rm(dataDir, { recursive: true, force: true }));
  const product = await startProduct({ dataDir, ports: 'free' });
  undo.push(() => product.stop());
  return { run: product.run(), dataDir };
}

function createPages(run: RunFile, browser: Browser): Pick<Stage, 'newPage' | 'signedIn' | 'takeComplaints'> {
  let complaints: string[] = [];

  async function newPage({
    colorScheme = 'light',
    width = 1280,
    height = 900,
    baseURL = run.dashboardUrl,
  }: NewPageOptions = {}): Promise<Page> {
    const context: BrowserContext = await browser.newContext({
      baseURL,
      viewport: { width, height },
      colorScheme,
      // Nothing fades in: a test would only wait for it.
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(30_000);
    const page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      // An answer that is an error is not one of the page, and stands in the console too.
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

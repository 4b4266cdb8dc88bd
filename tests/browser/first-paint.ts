/* eslint-disable no-console -- the result goes to the terminal */
/**
 * Measures how a page appears for the first time on a slow phone (1.6 Mbit/s, 150 ms round trip, a processor of a
 * quarter of the speed), on a product that runs already:
 *
 *     CELLARMAN_RUN=.local/run.json node tests/browser/first-paint.ts
 *
 * Fails above the bounds. `loaded` counts compressed bytes until the page is there, without the files of other pages.
 */
import { openRunningHarness } from './harness.ts';
import type { Harness } from './harness.ts';

const BOUNDS = { fcp: 1_500, cls: 0.05, loaded: 300_000 };
const ROUNDS = 3;
const BYTES_PER_SECOND = 1_600_000 / 8;

interface Paint {
  fcp: number;
  lcp: number;
  cls: number;
  loaded: number;
}

const OBSERVE = `
  window.paint = { fcp: 0, lcp: 0, cls: 0 };
  const observe = (type, read) => new PerformanceObserver((list) => list.getEntries().forEach(read))
    .observe({ type, buffered: true });
  observe('paint', ({ name, startTime }) => { if (name === 'first-contentful-paint') window.paint.fcp = startTime; });
  observe('largest-contentful-paint', ({ startTime }) => { window.paint.lcp = startTime; });
  observe('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) window.paint.cls += value; });
`;

const harness = await openRunningHarness();
try {
  const { cellar } = harness.run.demo;
  const pages: [path: string, shows: string][] = [
    ['/', cellar],
    [`/cellars/${cellar}`, 'Rejected readings'],
    [`/cellars/${cellar}/keys`, 'local stack'],
    [`/cellars/${cellar}/racks`, 'Last seen'],
  ];
  for (const [path, shows] of pages) {
    const rounds: Paint[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(harness, path, shows));
    const paint = medianOf(rounds);
    console.log(
      `${path.padEnd(24)} FCP ${paint.fcp.toFixed(0)} ms  LCP ${paint.lcp.toFixed(0)} ms  CLS ${paint.cls.toFixed(3)}  loaded ${(paint.loaded / 1000).toFixed(1)} kB`,
    );
    for (const [name, bound] of Object.entries(BOUNDS)) {
      if (paint[name as keyof Paint] <= bound) continue;
      console.error(`${path}: ${name} is above ${bound}`);
      process.exitCode = 1;
    }
  }
} finally {
  await harness.close();
}

/** In a context of its own, whose cache is empty. */
async function measure(from: Harness, path: string, shows: string): Promise<Paint> {
  const page = await from.signedIn();
  const session = await page.context().newCDPSession(page);
  let loaded = 0;
  await session.send('Network.enable');
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (loaded += encodedDataLength));
  await session.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 150 },
    ...{ downloadThroughput: BYTES_PER_SECOND, uploadThroughput: BYTES_PER_SECOND },
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.addInitScript(OBSERVE);
  await page.goto(path);
  await page.getByText(shows).first().waitFor();
  const loadedUntilShown = loaded;
  await page.waitForLoadState('networkidle').catch(() => undefined);
  const paint = await page.evaluate<Omit<Paint, 'loaded'>>('window.paint');
  await page.context().close();
  return { ...paint, loaded: loadedUntilShown };
}

function medianOf(rounds: readonly Paint[]): Paint {
  const median = (name: keyof Paint): number =>
    rounds.map((paint) => paint[name]).toSorted((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? NaN;
  return { fcp: median('fcp'), lcp: median('lcp'), cls: median('cls'), loaded: median('loaded') };
}

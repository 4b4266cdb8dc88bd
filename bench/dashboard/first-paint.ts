import { setTimeout as delay } from 'node:timers/promises';
import { openHarness } from '@cellarman/browser-tests/harness';
import type { Harness } from '@cellarman/browser-tests/harness';
import { sendSampleReadings } from '@cellarman/browser-tests/sample-readings';
import type { Bench } from '../bench.ts';
import { withProduct } from '../harness/product-harness.ts';
import { median, round } from '../median.ts';

const BITS_PER_SECOND = 1_600_000;
const ROUND_TRIP_MS = 150;
const SLOWER = 4;

interface Paint {
  fcp: number;
  lcp: number;
  cls: number;
  bytes: number;
}

const OBSERVE = `
  window.paint = { fcp: 0, lcp: 0, cls: 0 };
  const observe = (type, read) => new PerformanceObserver((list) => list.getEntries().forEach(read))
    .observe({ type, buffered: true });
  observe('paint', ({ name, startTime }) => { if (name === 'first-contentful-paint') window.paint.fcp = startTime; });
  observe('largest-contentful-paint', ({ startTime }) => { window.paint.lcp = startTime; });
  observe('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) window.paint.cls += value; });
`;

interface OpenedPage {
  path: string;
  /** A text that is there when the page is complete. */
  shows: string;
  isSignedOut?: boolean;
}

const pagesOf = (cellar: string): Record<string, OpenedPage> => ({
  'sign-in': { path: '/sign-in', shows: 'Sign in to Cellarman', isSignedOut: true },
  home: { path: '/', shows: cellar },
  overview: { path: `/cellars/${cellar}`, shows: 'No rejected readings' },
  data: { path: `/cellars/${cellar}/data`, shows: 'Average' },
  keys: { path: `/cellars/${cellar}/keys`, shows: 'local stack' },
  racks: { path: `/cellars/${cellar}/racks`, shows: 'Last seen' },
});

type Measured = 'FCP ms' | 'LCP ms' | 'layout shift' | 'loaded kB';
type PaintRow = Record<Measured, number> & { page: string };

export const firstPaint: Bench = {
  what: 'how the pages of the dashboard appear for the first time, on a slow phone',
  run: ({ pairs }) =>
    withProduct(async (run) => {
      const harness = await openHarness({ run, dataDir: '' });
      try {
        await sendSampleReadings(run, (await harness.signedIn()).request);
        await harness.closePages();
        const rows: PaintRow[] = [];
        for (const [name, page] of Object.entries(pagesOf(run.demo.cellar))) {
          const paints: Paint[] = [];
          for (let opened = 0; opened < pairs; opened++) paints.push(await measure(harness, page));
          const of = (figure: keyof Paint) => median(paints.map((paint) => paint[figure]));
          rows.push({
            page: name,
            ...{ 'FCP ms': round(of('fcp')), 'LCP ms': round(of('lcp')), 'layout shift': of('cls') },
            'loaded kB': round(of('bytes') / 1_000),
          });
        }
        const note = `Chromium with ${BITS_PER_SECOND / 1e6} Mbit/s, ${ROUND_TRIP_MS} ms of round trip, a processor ${SLOWER} times as slow and an empty cache; the median of ${pairs}. Loaded: bytes until the page is complete, with the font and the data, compressed with gzip, because Chromium accepts brotli over TLS only. Scripts and styles alone are limited by the build.`;
        const worst = (column: Measured) => Math.max(...rows.map((row) => row[column]));
        return {
          tables: [{ note, rows }],
          figures: {
            'first contentful paint ms': worst('FCP ms'),
            'layout shift': worst('layout shift'),
            'first load kB': worst('loaded kB'),
          },
        };
      } finally {
        await harness.close();
      }
    }),
};

/** In a context of its own, whose cache is empty. */
async function measure(harness: Harness, { path, shows, isSignedOut }: OpenedPage): Promise<Paint> {
  const size = { width: 390, height: 844 };
  const page = await (isSignedOut
    ? harness.newPage(size)
    : harness.signedIn({ ...size, hasOwnProfile: true }));
  const session = await page.context().newCDPSession(page);
  let loaded = 0;
  await session.send('Network.enable');
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (loaded += encodedDataLength));
  await session.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: ROUND_TRIP_MS },
    ...{ downloadThroughput: BITS_PER_SECOND / 8, uploadThroughput: BITS_PER_SECOND / 8 },
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(OBSERVE);
  await page.goto(path);
  await page.getByText(shows).filter({ visible: true }).first().waitFor();
  const bytes = loaded;
  // What comes later must not move what is there.
  await delay(1_000);
  const paint = await page.evaluate<Omit<Paint, 'bytes'>>('window.paint');
  await page.context().close();
  return { ...paint, bytes };
}

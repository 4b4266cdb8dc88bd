import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import { openHarness } from '@cellarman/browser-tests/harness';
import type { Harness } from '@cellarman/browser-tests/harness';
import { clickhouseLogin, until } from '@cellarman/local-stack';
import type { Bench, Row } from '../bench.ts';
import { measureGestures } from './frames.ts';
import type { Frames } from './frames.ts';
import { round } from '../median.ts';
import { percentile } from '../percentile.ts';
import { fill } from '../query/fill.ts';
import { withProduct } from '../harness/product-harness.ts';

/** A day and more of 10,000 series, one reading a minute each. */
const MOST_ROWS = 15_000_000;
const FILL_SECONDS_EACH = 60;
const KEG = 'chart';
const RACKS = Array.from({ length: 8 }, (_, index) => `chart-${index + 1}`);
/** The most that a response has: 30 s each. */
const POINTS = 2_000;
const POINTS_RANGE_MS = (POINTS - 1) * 30_000;
const OPENED = 20;
/** The rows are not in the topic: the sink would compare each of them, hour by hour. */
const NOT_VERIFIED = { env: { sink: { VERIFY_HOURS: 'false' } } };

export const chart: Bench = {
  what: 'the Data page in Chromium, with 10,000,000 rows: from a click to a day of eight series, and the frames while it is panned and zoomed',
  run: ({ seconds }) =>
    withProduct(async (run) => {
      const clickhouse = createClient({
        ...{ ...clickhouseLogin(run), database: run.clickhouseDatabase, request_timeout: 600_000 },
        log: { level: ClickHouseLogLevel.OFF },
      });
      const { cellar } = run.demo;
      const harness = await openHarness({ run, dataDir: '' });
      try {
        const table = 'readings_stored';
        const limits = { mostRows: MOST_ROWS, mostSeconds: seconds * FILL_SECONDS_EACH };
        const { rows } = await fill({ clickhouse, table, cellar, ...limits });
        await fillEight(clickhouse, cellar);
        await awaitRest(clickhouse);
        const clicks = await timeClicks(harness, cellar);
        const frames = await timeFrames(harness, cellar, seconds);
        return {
          tables: [
            {
              note: `${rows.toLocaleString('en')} rows. From the click on "24 h" until the frame after the chart of eight series with 8,640 readings each, in up to 500 points; ${OPENED} fresh pages, all rows stored over a minute ago and merged, Chromium without a GPU on the same machine.`,
              rows: [{ 'p50 ms': round(percentile(clicks, 0.5)), 'max ms': round(percentile(clicks, 1)) }],
            },
            {
              note: `Eight series of ${POINTS} points with their bands, ${seconds} s each. In time: a frame ≤ 17 ms after the one before.`,
              rows: Object.entries(frames).map(rowOf),
            },
          ],
          figures: {
            'chart ms from the click': percentile(clicks, 0.5),
            'chart frames in time': Math.min(frames.pan.shareInTime, frames.zoom.shareInTime),
          },
        };
      } finally {
        await harness.close();
        await clickhouse.close();
      }
    }, NOT_VERIFIED),
};

/** A reading every ten seconds for 26 hours. */
async function fillEight(clickhouse: ClickHouseClient, cellar: string): Promise<void> {
  await clickhouse.command({
    query: `INSERT INTO readings_stored
      SELECT {cellar: String}, 'chart-' || toString(number % 8 + 1), '${KEG}', sin(number / 5000) * 3 + number % 8 + (cityHash64(number) % 100) / 100,
        now64(9) - toIntervalSecond(intDiv(number, 8) * 10) AS at, toDateTime64(at, 3) + 0.25, 'bench'
      FROM numbers(8 * 6 * 60 * 26)`,
    query_params: { cellar },
  });
}

/**
 * Resolves when no merge runs and no reading counts as new any more: each page has a live stream, which reads those of the last
 * minute again and again. They would be all, while those of a fleet are a few of them.
 */
async function awaitRest(clickhouse: ClickHouseClient): Promise<void> {
  const query = `SELECT (SELECT count() FROM system.merges) = 0
    AND (SELECT max(stored_at) FROM readings_by_time) < now64() - toIntervalMinute(1) AS rests`;
  const rests = async () => {
    const [row] = await (await clickhouse.query({ query, format: 'JSONEachRow' })).json<{ rests: number }>();
    return row?.rests === 1;
  };
  await until('ClickHouse rests', rests, { deadlineMs: 300_000, everyMs: 2_000 });
}

/** Returns milliseconds, sorted. */
async function timeClicks(harness: Harness, cellar: string): Promise<number[]> {
  const page = await harness.signedIn();
  const times: number[] = [];
  for (let opened = 0; opened < OPENED; opened++) {
    // A fresh page has no series of before.
    await page.goto(urlOf(cellar, { range: '1h' }));
    await page.getByText(/one point = 10 s/).waitFor();
    // The last request of the page.
    await page.getByRole('button', { name: 'All chart-*' }).waitFor();
    const time = await page.evaluate<number>(`new Promise((resolve) => {
      const isShown = () => document.body.textContent.includes('one point = 5 min');
      const observer = new MutationObserver(() => {
        if (!isShown()) return;
        observer.disconnect();
        requestAnimationFrame(() => requestAnimationFrame((now) => resolve(now - begun)));
      });
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      const labels = document.querySelectorAll('[aria-label="Time range"] label');
      const begun = performance.now();
      [...labels].find((label) => label.textContent === '24 h').click();
    })`);
    times.push(time);
  }
  return times.sort((a, b) => a - b);
}

async function timeFrames(harness: Harness, cellar: string, seconds: number) {
  const page = await harness.signedIn({ hasTouch: true });
  // The page requests as many points as it has pixels.
  await page.route(/\/series\?/, (route) =>
    route.continue({
      url: route
        .request()
        .url()
        .replace(/points=\d+/, `points=${POINTS}`),
    }),
  );
  const to = Date.now() - 60_000;
  await page.goto(
    urlOf(cellar, {
      from: new Date(to - POINTS_RANGE_MS).toISOString(),
      to: new Date(to).toISOString(),
    }),
  );
  await page.getByText(/one point = 30 s/).waitFor();
  return measureGestures(page, await page.context().newCDPSession(page), seconds);
}

function urlOf(cellar: string, range: Record<string, string>): string {
  const search = new URLSearchParams({ keg: KEG, racks: JSON.stringify(RACKS), ...range });
  return `/cellars/${cellar}/data?${search.toString()}`;
}

function rowOf([gesture, { perSecond, shareInTime }]: [string, Frames]): Row {
  return { gesture, 'frames/s': round(perSecond), 'in time': round(shareInTime) };
}

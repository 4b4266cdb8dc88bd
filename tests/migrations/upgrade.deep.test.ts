/* eslint-disable no-console -- why tests were left out must be seen */
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFailed, test } from 'vitest';
import type { ServiceProcess } from './service-process.ts';
import { openHarness } from './harness.ts';
import type { Harness } from './harness.ts';
import { startDevice } from './steady-device.ts';
import type { SteadyDevice } from './steady-device.ts';
import { isThere, layOut, THIS_VERSION, versionBefore } from './version-before.ts';
import type { Version } from './version-before.ts';
import { now, post, racksOf, work } from './work.ts';

const commit = await versionBefore();
const isKnown = await isThere(commit);
if (!isKnown) console.log(`The tests of upgrades are left out: this clone has no ${commit} in its history.`);

/** All four services of one version. */
interface Release {
  keyService: ServiceProcess;
  ingest: ServiceProcess;
  query: ServiceProcess;
  sink: ServiceProcess;
}

/** What `docs/upgrades.md` promises, played with the services of both versions on the same tables. Each test goes on from the one before. */
describe.runIf(isKnown)('from the version before to this one, and back', { timeout: 180_000 }, () => {
  let harness: Harness;
  let before: Version & { remove(): Promise<void> };
  let old: Release;
  let fresh: Release;
  let device: SteadyDevice | undefined;
  let kept: { secret: string };
  let hasFailed = false;

  beforeEach((context) => {
    context.skip(hasFailed, 'the one before has failed');
    onTestFailed(() => void (hasFailed = true));
  });
  beforeAll(async () => {
    before = await layOut(commit);
    harness = await openHarness(inject('engines'));
  });
  afterAll(async () => {
    await device?.stop();
    await harness.close();
    await before.remove();
  });

  test('the version before is at work', async () => {
    await harness.migrateTables(before);
    old = await startAll(before);
    kept = await work(old, 'old');
    device = startDevice({ ingestUrl: old.ingest.url, cellar: 'old', secret: kept.secret });
  });

  test('this version is not ready on tables of the version before, and says what to do', async () => {
    const [sink, query] = await Promise.all([
      harness.start(THIS_VERSION, 'sink'),
      harness.start(THIS_VERSION, 'query'),
    ]);
    const soon = { timeout: 60_000, interval: 50 };
    await expect.poll(() => sink.output(), soon).toContain('run `sink migrate` first');
    await expect
      .poll(() => query.readiness().catch(() => undefined), soon)
      .toMatchObject({ status: 503, text: expect.stringContaining('run `sink migrate`') as string });
    await Promise.all([sink.stop(), query.stop()]);
  });

  test('its tables are brought up to date while it works, and it goes on', async () => {
    await harness.migrate(THIS_VERSION);
    await work(old, 'old-on-new-tables');
  });

  test('both versions work side by side, with key-service of either', async () => {
    fresh = await startAll(THIS_VERSION);
    harness.keyService.to(fresh.keyService.url);
    await work({ ...old, keyService: fresh.keyService }, 'old-with-new-keys');
    harness.keyService.to(old.keyService.url);
    await work({ ...fresh, keyService: old.keyService }, 'new-with-old-keys');
  });

  test('this version takes over, and has all that was there', async () => {
    harness.keyService.to(fresh.keyService.url);
    await device?.switchTo(fresh.ingest.url);
    await stopAll(old);
    await work(fresh, 'new');
    expect(await racksOf(fresh, kept, 'old')).toEqual(['first', 'kept', 'rotated', 'steady']);
  });

  test('a sink of the version before ends at messages with zstd, and one of this version stores them', async () => {
    await fresh.sink.stop();
    const sink = await harness.start(before, 'sink');
    await sink.ready();
    const ingest = await harness.start(THIS_VERSION, 'ingest', { PRODUCER_COMPRESSION: 'zstd' });
    await ingest.ready();
    const readings = Array.from({ length: 50 }, (_, value) => ({
      ...{ cellar: 'old', rack: 'compressed', keg: 'k', value },
      timestamp: now(),
    }));
    const answer = await post(ingest.url, kept.secret, readings, '/batch');
    expect(answer.status, await answer.text()).toBe(200);
    await expect.poll(() => sink.output(), { timeout: 60_000 }).toContain('ZSTD compression not implemented');
    expect(await stored('compressed')).toEqual([[0, 0]]);
    await Promise.all([sink.stop(), ingest.stop()]);

    fresh.sink = await harness.start(THIS_VERSION, 'sink');
    await expect.poll(() => stored('compressed'), { timeout: 60_000 }).toEqual([[50, 50]]);
  });

  test('the version before starts again on tables that this one has written to', async () => {
    old = await startAll(before);
    harness.keyService.to(old.keyService.url);
    await device?.switchTo(old.ingest.url);
    await stopAll(fresh);
    await work(old, 'back');
  });

  test('no reading was rejected in all that time, and each is there once', async () => {
    if (device === undefined) throw new Error('there was no device');
    await device.stop();
    expect(device.rejected).toEqual([]);
    expect(device.acknowledged()).toBeGreaterThan(50);
    await expect
      .poll(() => stored('steady'), { timeout: 60_000, interval: 50 })
      .toEqual([[device.acknowledged(), device.acknowledged()]]);
  });

  async function stored(rack: string): Promise<unknown[]> {
    const rows = await harness.clickhouse.query({
      query: `SELECT toUInt32(count()), toUInt32(uniqExact(value)) FROM readings WHERE cellar = 'old' AND rack = '${rack}'`,
      format: 'JSONCompactEachRow',
    });
    return rows.json();
  }

  async function startAll(version: Version): Promise<Release> {
    // The others call key-service before they are ready.
    const keyService = await harness.start(version, 'key-service');
    await keyService.ready();
    if (version !== THIS_VERSION) harness.keyService.to(keyService.url);
    const [ingest, query, sink] = await Promise.all(
      (['ingest', 'query', 'sink'] as const).map(async (service) => {
        const process = await harness.start(version, service);
        await process.ready();
        return process;
      }),
    );
    return { keyService, ingest, query, sink } as Release;
  }

  async function stopAll(release: Release): Promise<void> {
    await Promise.all(Object.values(release).map((process: ServiceProcess) => process.stop()));
  }
});

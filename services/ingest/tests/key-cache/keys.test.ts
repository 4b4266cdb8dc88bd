import { generateApiKey, hashApiKey } from '@cellarman/api-key';
import type { KeyRecord } from '@cellarman/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createKeyServiceClient } from '@cellarman/key-service-client';
import { createKeys } from '../../src/key-cache/keys.ts';
import type { Keys, KeysOptions } from '../../src/key-cache/keys.ts';
import { KeysUnavailableError } from '../../src/key-cache/keys-unavailable-error.ts';
import { silent } from '../ingest-app.ts';
import { startKeyServiceStub } from '../key-service-stub.ts';
import type { KeyServiceStub } from '../key-service-stub.ts';

let keyService: KeyServiceStub;
let keys: Keys;
/** Added to the monotonic clock: the process was paused for so long. */
let pausedMs: number;
let pulls: number;

beforeEach(async () => {
  keyService = await startKeyServiceStub();
  pausedMs = 0;
  pulls = 0;
});
afterEach(async () => {
  keys.stop();
  await keyService.close();
});

function start(options: Partial<KeysOptions> = {}): void {
  keys = createKeys({
    keyService: createKeyServiceClient({ url: keyService.url, token: keyService.token, timeoutMs: 200 }),
    pullIntervalMs: 10,
    staleMaxMs: 60_000,
    maxKeys: 100,
    logger: silent,
    monotonic: () => performance.now() + pausedMs,
    onPulled: () => {
      pulls += 1;
    },
    ...options,
  });
  keys.start();
}

/** A pull that began after this call has ended. */
async function nextPull(): Promise<void> {
  const before = pulls;
  await vi.waitFor(() => expect(pulls).toBeGreaterThan(before + 1), { interval: 5, timeout: 5_000 });
}

/** Adds a key whose change is pulled already: it would drop what a test has cached. */
async function addKey(record: Partial<KeyRecord> = {}): Promise<string> {
  const apiKey = keyService.addKey(record);
  await nextPull();
  return apiKey;
}

const lookupsOf = (apiKey: string) => keyService.lookups.filter((hash) => hash === hashApiKey(apiKey)).length;

describe('a known key', () => {
  it('is looked up once, also for many concurrent callers, and then comes without a promise', async () => {
    start();
    const apiKey = await addKey();
    const hash = hashApiKey(apiKey);
    const found = await Promise.all(Array.from({ length: 20 }, async () => keys.find(hash)));
    expect(new Set(found).size).toBe(1);
    expect(keys.find(hash)).toBe(found[0]);
    expect(lookupsOf(apiKey)).toBe(1);
  });

  it('is looked up again after a change of it, and of its cellar only', async () => {
    start();
    const mine = await addKey({ cellar: 'mine' });
    const other = await addKey({ cellar: 'other' });
    await keys.find(hashApiKey(mine));
    await keys.find(hashApiKey(other));
    keyService.changeKey(mine, { revokedAt: '2026-01-01T00:00:00Z' });
    await nextPull();
    expect(await keys.find(hashApiKey(mine))).toMatchObject({ revoked: true });
    keyService.changeCellar('other', { retentionDays: 7 });
    await nextPull();
    expect(await keys.find(hashApiKey(other))).toMatchObject({ record: { retentionDays: 7 } });
    expect([lookupsOf(mine), lookupsOf(other)]).toEqual([2, 2]);
  });

  it('makes room for others', async () => {
    start({ maxKeys: 2 });
    for (let n = 0; n < 5; n++) await keys.find(hashApiKey(await addKey()));
    expect(keys.size).toBe(2);
  });
});

describe('an unknown key', () => {
  it('is remembered for a while, and found once it is created', async () => {
    start();
    const apiKey = generateApiKey();
    const hash = hashApiKey(apiKey);
    expect(await keys.find(hash)).toBeNull();
    expect(keys.find(hash)).toBeNull();
    expect(lookupsOf(apiKey)).toBe(1);
    keyService.changeKey(apiKey, {});
    await nextPull();
    expect(await keys.find(hash)).toMatchObject({ record: { hash } });
  });

  it('is looked up again after ten seconds', async () => {
    start();
    const apiKey = generateApiKey();
    await keys.find(hashApiKey(apiKey));
    pausedMs += 10_001;
    expect(await keys.find(hashApiKey(apiKey))).toBeNull();
    expect(lookupsOf(apiKey)).toBe(2);
  });
});

describe('the history of changes', () => {
  it('breaks off: every cached key is forgotten', async () => {
    start();
    const apiKey = await addKey();
    await keys.find(hashApiKey(apiKey));
    keyService.newEpoch();
    await expect.poll(() => keys.size).toBe(0);
    expect(await keys.find(hashApiKey(apiKey))).not.toBeNull();
    expect(lookupsOf(apiKey)).toBe(2);
  });

  it('is looked up first when this process was paused', async () => {
    start();
    const apiKey = await addKey();
    await keys.find(hashApiKey(apiKey));
    keyService.changeKey(apiKey, { revokedAt: '2026-01-01T00:00:00Z' });
    pausedMs += 10_000;
    expect(await keys.find(hashApiKey(apiKey))).toMatchObject({ revoked: true });
  });

  it('is looked up again when a pull was in flight meanwhile, whose timeout is the first thing that this process sees', async () => {
    const real = createKeyServiceClient({ url: keyService.url, token: keyService.token, timeoutMs: 200 });
    let holds = false;
    let timeOut: (() => void) | undefined;
    start({
      keyService: {
        ...real,
        changes: (after) =>
          holds
            ? new Promise((_, reject) => (timeOut = () => reject(new Error('timed out'))))
            : real.changes(after),
      },
    });
    const apiKey = await addKey();
    await keys.find(hashApiKey(apiKey));
    holds = true;
    await expect.poll(() => timeOut).toBeDefined();
    keyService.changeKey(apiKey, { revokedAt: '2026-01-01T00:00:00Z' });
    pausedMs += 3_000;
    holds = false;
    timeOut?.();
    await Promise.resolve();
    expect(await keys.find(hashApiKey(apiKey))).toMatchObject({ revoked: true });
  });
});

describe('while key-service is away', { timeout: 30_000 }, () => {
  it.each(['errors', 'hangs'] as const)(
    '(%s) known keys go on, others are neither good nor bad',
    async (how) => {
      start();
      const apiKey = await addKey();
      const hash = hashApiKey(apiKey);
      await keys.find(hash);
      keyService.break(how);
      await nextPull();
      pausedMs += 3_000;
      expect(await keys.find(hash)).toMatchObject({ record: { hash } });
      await nextPull();
      expect(keys.find(hash)).toMatchObject({ record: { hash } });
      await expect(keys.find(hashApiKey(generateApiKey()))).rejects.toThrow(KeysUnavailableError);
    },
  );

  it('known keys end after the time that is allowed, and come back with key-service', async () => {
    start({ staleMaxMs: 60_000 });
    const hash = hashApiKey(await addKey());
    await keys.find(hash);
    keyService.break('errors');
    pausedMs += 59_000;
    expect(await keys.find(hash)).not.toBeNull();
    pausedMs += 2_000;
    await expect(keys.find(hash)).rejects.toThrow(KeysUnavailableError);
    keyService.break(undefined);
    await nextPull();
    expect(await keys.find(hash)).not.toBeNull();
  });

  it('an unknown key that was remembered as such is not called unknown any more', async () => {
    start();
    const hash = hashApiKey(generateApiKey());
    expect(await keys.find(hash)).toBeNull();
    keyService.break('errors');
    pausedMs += 3_000;
    await expect(keys.find(hash)).rejects.toThrow(KeysUnavailableError);
  });

  it('from the start nobody is let in or turned away', async () => {
    keyService.break('errors');
    start();
    await expect(keys.find(hashApiKey(generateApiKey()))).rejects.toThrow(KeysUnavailableError);
  });
});

import { describe, expect, it } from 'vitest';
import { runSizing } from '../src/command.ts';
import { cost, LIST_PRICES } from '../src/cost.ts';
import { DEFAULT_FLEET } from '../src/fleet.ts';
import type { Fleet } from '../src/fleet.ts';
import { reachedLimits } from '../src/limits.ts';
import { measured } from '../src/measurements.ts';
import { bytesPerReading, chooseLinger, messagesPerBatch } from '../src/record-batch.ts';
import { size } from '../src/size.ts';

const fleetOf = (fleet: Partial<Fleet>): Fleet => ({ ...DEFAULT_FLEET, ...fleet });
const FIVE_MILLION = fleetOf({ devices: 5_000_000 });

describe('the size of a fleet', () => {
  it('has the rate of its series', () => {
    expect(size(fleetOf({ devices: 600, kegs: 4, intervalSeconds: 10 })).readings).toBe(240);
    expect(size(fleetOf({ devices: 600, intervalSeconds: 1, readingsPerRequest: 100 })).requests).toBe(6);
  });

  it('has replicas with half of a core free', () => {
    const { replicas, cores } = size(FIVE_MILLION);
    expect(replicas.ingest).toBe(Math.ceil(cores.ingest * 2));
    expect(cores.ingest).toBeCloseTo((83_333 * measured('ingestCpuOfSingle')) / 1e6, 1);
    expect(size(fleetOf({ devices: 10 })).replicas).toEqual({ ingest: 2, sink: 2, keyService: 2, query: 2 });
  });

  it('has partitions for twice its sinks, and never fewer than the default', () => {
    for (const devices of [1, 1_000_000, 100_000_000, 600_000_000]) {
      const { partitions, replicas } = size(fleetOf({ devices }));
      expect(partitions).toBeGreaterThanOrEqual(replicas.sink * 2);
      expect(partitions % 6).toBe(0);
    }
  });

  it('has disks for its days and copies', () => {
    const once = size(FIVE_MILLION).disks;
    const longer = size(fleetOf({ ...FIVE_MILLION, topicDays: 14, storeDays: 180 })).disks;
    expect(longer.kafka / once.kafka).toBeCloseTo(2);
    expect(longer.clickhouse / once.clickhouse).toBeCloseTo(2);
    const readings = 83_333.3 * 90 * 86_400;
    expect(once.clickhouse).toBeCloseTo((readings * measured('storedBytes')) / 0.7, -9);
  });

  it('keeps every key in each replica of ingest, with the memory for it', () => {
    expect(size(fleetOf({ devices: 100_000 })).ingest).toEqual({ memoryMiB: 768, keyCacheSize: 200_000 });
    const { memoryMiB, keyCacheSize } = size(FIVE_MILLION).ingest;
    expect(keyCacheSize).toBe(5_500_000);
    expect(memoryMiB).toBeGreaterThan(768 + (5_000_000 * 0.85) / 1_024);
  });
});

describe('record batches', () => {
  it('of single readings at a low rate hold one reading, and no linger helps', () => {
    expect(chooseLinger(1, 1)).toBe(0);
    expect(messagesPerBatch(1, 1, 0)).toBe(1);
    expect(bytesPerReading(1)).toBe(measured('bytesOf1'));
  });

  it('of large requests need no linger', () => {
    expect(chooseLinger(1, 100)).toBe(0);
    expect(bytesPerReading(messagesPerBatch(1, 100, 0))).toBe(measured('bytesOf100'));
  });

  it('linger as long as it takes to compress', () => {
    const rate = 500;
    const lingerMs = chooseLinger(rate, 1);
    expect(lingerMs).toBeGreaterThan(0);
    expect(messagesPerBatch(rate, 1, lingerMs)).toBeGreaterThan(messagesPerBatch(rate, 1, 0));
  });

  it('take fewer bytes the more readings they hold', () => {
    const sizes = [1, 2, 3, 8, 20, 32, 60, 100, 1_000].map(bytesPerReading);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(bytesPerReading(8)).toBe(measured('bytesOf8'));
    expect(bytesPerReading(32)).toBe(measured('bytesOf32'));
  });
});

describe('the cost', () => {
  it('follows the prices', () => {
    const needed = size(FIVE_MILLION);
    const listed = cost(FIVE_MILLION, needed, LIST_PRICES);
    const dearer = cost(FIVE_MILLION, needed, { ...LIST_PRICES, diskGb: LIST_PRICES.diskGb * 2 });
    expect(listed.total).toBeCloseTo(listed.cores + listed.disks + listed.zones);
    expect(dearer.total - listed.total).toBeCloseTo(listed.disks);
  });
});

describe('the limits', () => {
  it('are those of larger fleets', () => {
    const of = (fleet: Fleet) => reachedLimits(size(fleet), fleet).join('\n');
    expect(of(fleetOf({ readingsPerRequest: 100 }))).toBe('');
    expect(of(FIVE_MILLION)).toContain('KEY_CACHE_SIZE');
    expect(of(fleetOf({ devices: 600_000_000 }))).toContain('several installations');
  });
});

describe('the command', () => {
  it('prints what a fleet needs', async () => {
    const text = await runSizing(['--devices', '5000000', '--interval', '1m']);
    expect(text).toContain('83,300 readings/s');
    expect(text).toContain('PRODUCER_LINGER_MS=');
  });

  it.each([
    [[], 'Give the number of devices'],
    [['--devices', '0'], '--devices must be a positive number, not 0'],
    [['--devices', '5', '--interval', 'soon'], '--interval must be a positive number'],
    [['--devices', '5', '--topic-days', '0.5'], '--topic-days must be at least 1'],
    [['--device', '5'], "Unknown option '--device'"],
  ])('rejects %j', async (args, message) => {
    await expect(runSizing(args)).rejects.toThrow(message);
  });
});

import { cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Device, driverPath } from './device.ts';
import { startScriptedIngest } from './scripted-ingest.ts';
import type { ScriptedIngest } from './scripted-ingest.ts';

/** The header of a record: magic, type, length of the payload, checksum. */
const HEADER = 8;
const COUNT = 10;

describe.skipIf(driverPath === undefined)('the spool of the Arduino client after a power loss', () => {
  let folder: string;
  let ingest: ScriptedIngest;
  let device: Device;
  /** Files of a spool with COUNT acknowledged readings, oldest first, and where the records of each end. */
  let files: { name: string; ends: number[] }[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cellarman-power-'));
    ingest = await startScriptedIngest();
    device = new Device(join(folder, 'spool'));
    await mkdir(join(folder, 'spool'));
    await device.setClock();
    await open('spool');
    for (let value = 0; value < COUNT; value++)
      expect(await device.ask('put', 'temperature', value)).toBe('stored');
    await device.ask('crash');
    const names = (await readdir(join(folder, 'spool', 'cellarman'))).sort();
    files = await Promise.all(
      names.map(async (name) => ({ name, ends: endsOfRecords(await readFile(path('spool', name))) })),
    );
    expect(files.length).toBeGreaterThan(2);
    expect(files.flatMap(({ ends }) => ends)).toHaveLength(COUNT);
  });
  afterAll(async () => {
    await device.kill();
    ingest.close();
    await rm(folder, { recursive: true });
  });

  const path = (copy: string, name: string) => join(folder, copy, 'cellarman', name);
  const open = (copy: string) =>
    device.open({ root: join(folder, copy), url: ingest.url, segmentBytes: 140, batchReadings: 100 });

  function endsOfRecords(bytes: Buffer): number[] {
    const ends = [];
    for (let at = 0; at < bytes.length; at = ends.at(-1) ?? 0)
      ends.push(at + HEADER + bytes.readUInt16LE(at + 2));
    return ends;
  }

  /** Damages a copy of the spool, starts a device on it, and returns what it sends, with one new reading at the end. */
  async function sentAfter(damage: (copy: string) => Promise<void>): Promise<number[]> {
    await cp(join(folder, 'spool'), join(folder, 'copy'), { recursive: true });
    await damage('copy');
    ingest.batches.length = 0;
    expect(await open('copy')).toBe(true);
    expect(await device.ask('put', 'temperature', COUNT)).toBe('stored');
    while ((await device.status()).waiting > 0) await device.ask('loop');
    await device.ask('crash');
    await rm(join(folder, 'copy'), { recursive: true });
    return ingest.batches.flat().map(({ value }) => value);
  }

  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

  test('truncated at every byte: all records before it are sent, and the device starts', async () => {
    const last = files.at(-1) ?? { name: '', ends: [] };
    const before = COUNT - last.ends.length;
    for (let length = 0; length <= (last.ends.at(-1) ?? 0); length++) {
      const whole = last.ends.filter((end) => end <= length).length;
      const sent = await sentAfter((copy) => truncate(path(copy, last.name), length));
      expect(sent, `${length} bytes`).toEqual([...range(0, before + whole), COUNT]);
    }
  });

  test('any byte damaged: all other records are sent', async () => {
    const { name, ends } = files[1] ?? { name: '', ends: [] };
    const first = files[0]?.ends.length ?? 0;
    const bytes = await readFile(path('spool', name));
    for (let at = 0; at < bytes.length; at++) {
      const lost = first + ends.filter((end) => end <= at).length;
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      const sent = await sentAfter((copy) => writeFile(path(copy, name), damaged));
      expect(sent, `byte ${at}`).toEqual(range(0, COUNT + 1).filter((value) => value !== lost));
    }
  });

  test('files that are no segments do not stop the device', async () => {
    const sent = await sentAfter(async (copy) => {
      await writeFile(path(copy, '00000000.log'), Buffer.alloc(200_000, 0xc3));
      await writeFile(path(copy, 'x.log'), 'x');
      await writeFile(path(copy, '99.log'), '');
    });
    expect(sent).toEqual(range(0, COUNT + 1));
  });

  test('what was not synced is not acknowledged', async () => {
    await open('spool');
    await device.ask('disk', 10);
    expect(await device.ask('put', 'temperature', 99)).toBe('queued');
    await device.ask('crash');
    await device.ask('disk', -1);
    expect(await sentAfter(async () => undefined)).toEqual(range(0, COUNT + 1));
  });
});

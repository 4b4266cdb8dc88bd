import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, statfs, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RunningRound } from '../round.ts';

const command = promisify(execFile);
const MIB = 1 << 20;

/** For `HarnessOptions.prepare`: puts the data of an engine on a disk of its own, in memory. Needs root. */
export function smallDisk(engine: string, mib: number): (dataDir: string) => Promise<() => Promise<void>> {
  return async (dataDir) => {
    const directory = join(dataDir, engine);
    await mkdir(directory);
    await command('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'cellarman-faults', directory]);
    return async () => {
      await command('umount', [directory]);
    };
  };
}

/** Fills the disk of an engine to the last byte while `meanwhile` runs, and then gives the space back. */
export async function whileDiskFull(
  run: RunningRound,
  engine: string,
  meanwhile: (refill: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const directory = join(run.harness.dataDir, engine);
  const filler = join(directory, 'filler');
  await fill(filler);
  run.say(`the disk under ${engine} is full`);
  try {
    await meanwhile(() => fill(filler));
    if ((await freeBytes(directory)) > MIB) throw new Error('The disk did not stay full');
  } finally {
    await truncate(filler, 0);
    await rm(filler);
    run.say(`the disk under ${engine} has space again`);
  }
}

/** Appends until there is no space. */
async function fill(file: string): Promise<void> {
  const stream = createWriteStream(file, { flags: 'a' });
  const piece = Buffer.alloc(MIB);
  const isFull = new Promise<void>((resolve, reject) => {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOSPC') resolve();
      else reject(error);
    });
    const more = (): void => void stream.write(piece, (error) => (error ? undefined : more()));
    more();
  });
  await isFull;
  stream.destroy();
}

async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

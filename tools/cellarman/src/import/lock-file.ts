import { once } from 'node:events';
import { unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT, Failure } from '../failure.ts';

/**
 * Keeps a second run away from a file: it would take the keys of the first for lost, and revoke them.
 *
 * The lock is a socket that nobody talks to. It ends with its process, also by kill -9, and Node has no flock.
 */
export async function lockFile(handle: FileHandle, path: string): Promise<() => Promise<void>> {
  const { dev, ino } = await handle.stat();
  const name = `cellarman-import-${dev}-${ino}`;
  // The abstract ones of Linux have no file that could stay behind.
  const address = process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`);
  const server = (await listen(address)) ?? (await takeOver(address));
  if (server === undefined)
    throw new Failure(EXIT.usage, `another import is writing to ${path}: wait until it has completed`);
  server.unref();
  return () => new Promise((resolve) => server.close(() => resolve()));
}

/** @returns undefined when another process listens there */
async function listen(address: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy()).listen(address);
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
    throw error;
  }
}

/** A socket file that nobody listens on was left by a run that was killed. */
async function takeOver(address: string): Promise<Server | undefined> {
  if (address.startsWith('\0')) return undefined;
  const socket = connect(address);
  try {
    await once(socket, 'connect');
    return undefined;
  } catch {
    await unlink(address).catch(() => undefined);
    return await listen(address);
  } finally {
    socket.destroy();
  }
}

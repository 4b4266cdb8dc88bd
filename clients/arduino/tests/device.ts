import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);
const folder = join(import.meta.dirname, '..');
const built = join(folder, '..', '..', '.local', 'arduino');
const INCLUDES = ['-I', join(folder, 'tests', 'host'), '-I', join(folder, 'src')];
const FLAGS = ['-std=c++11', '-Wall', '-Wextra', '-Werror', '-pedantic', ...INCLUDES];

/** Undefined: this machine has no g++ or no headers of OpenSSL. */
export const driverPath = await build().catch((error: unknown) => {
  const { stderr = '' } = error as { stderr?: string };
  if (stderr.includes('error:') && !stderr.includes('openssl')) throw error;
  process.stderr.write('NOT RUN: the Arduino client. It needs g++ and OpenSSL (Debian: g++ libssl-dev)\n');
  return undefined;
});

/** Compiles the library, once for each version of its sources, for this machine. */
async function build(): Promise<string> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\.(h|cpp)$/.test(file)).sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(await readFile(join(folder, file)));
  const driver = join(built, `driver-${hash.digest('hex').slice(0, 12)}`);
  if (existsSync(driver)) return driver;
  await mkdir(built, { recursive: true });
  const partial = `${driver}.${process.pid}`;
  const source = join(folder, 'tests', 'host', 'driver.cpp');
  const sanitize = ['-g', '-O1', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'];
  await run('g++', [...FLAGS, ...sanitize, source, '-o', partial, '-lssl', '-lcrypto']);
  await rename(partial, driver);
  return driver;
}

/** Compiles a sketch without linking it. */
export async function checkSketch(path: string): Promise<void> {
  await run('g++', [...FLAGS, '-fsyntax-only', '-include', 'Arduino.h', '-x', 'c++', path]);
}

export interface DeviceStatus {
  state: 'idle' | 'waiting' | 'blocked';
  waiting: number;
  sent: number;
  rejected: number;
  dropped: number;
  overflowed: number;
  damaged: number;
  spoolBytes: number;
  lastHttpStatus: number;
  /** Codes since the last status, separated by spaces. */
  alarms: string;
}

/** A process that runs the library. Its clocks and its power are the test's. */
export class Device {
  readonly root: string;
  readonly process: ChildProcess;
  private readonly replies: AsyncIterator<string>;

  constructor(root: string) {
    this.root = root;
    this.process = spawn(driverPath ?? '', { stdio: ['pipe', 'pipe', 'inherit'] });
    // What a killed process has not read.
    this.process.stdin?.on('error', () => undefined);
    const lines = createInterface({ input: this.process.stdout ?? process.stdin });
    this.replies = lines[Symbol.asyncIterator]();
  }

  async ask(...words: (string | number)[]): Promise<unknown> {
    this.process.stdin?.write(`${words.join(' ')}\n`);
    const reply = await this.replies.next();
    if (reply.done === true) throw new Error(`the device ended at: ${words.join(' ')}`);
    return JSON.parse(reply.value);
  }

  open(settings: Record<string, string | number>): Promise<unknown> {
    const apiKey = 'claimCode' in settings ? {} : { apiKey: 'cm_key' };
    const all = { root: this.root, ...apiKey, cellar: 'demo', rack: 'r', ...settings };
    return this.ask('open', ...Object.entries(all).map(([name, value]) => `${name}=${value}`));
  }

  async status(): Promise<DeviceStatus> {
    return (await this.ask('status')) as DeviceStatus;
  }

  /** Sets the real time. */
  setClock(): Promise<unknown> {
    return this.ask('clock', Date.now());
  }

  async kill(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
  }
}

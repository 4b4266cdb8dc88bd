import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BenchOptions, BenchResult } from '../bench.ts';

export const CHECKOUT = join(import.meta.dirname, '../..');
const DIRECTORY = join(CHECKOUT, '.local', 'bench');

/** What stands in `.local/bench/<name>.json`. */
export interface StoredResult extends BenchResult {
  name: string;
  /** ISO 8601, when the bench ended. */
  date: string;
  /** Short, with a + when files differed from it. */
  commit: string;
  options: BenchOptions;
  machine: string;
  /** Runnable processes before the bench, averaged over a minute: a busy machine shows here. */
  loadBefore: number;
  seconds: number;
}

export function describeMachine(): string {
  return `${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown'}, Node ${process.versions.node}`;
}

export function currentLoad(): number {
  return Number((loadavg()[0] ?? 0).toFixed(1));
}

/** Files outside of docs decide: a new figure in a document makes no other program. */
export async function currentCommit(): Promise<string> {
  const git = async (...args: string[]) =>
    (await promisify(execFile)('git', args, { cwd: CHECKOUT })).stdout.trim();
  const changed = await git('status', '--porcelain', '--untracked-files=no', '--', '.', ':!docs');
  return `${await git('rev-parse', '--short', 'HEAD')}${changed === '' ? '' : '+'}`;
}

export async function storeResult(result: StoredResult): Promise<void> {
  await mkdir(DIRECTORY, { recursive: true });
  await writeFile(fileOf(result.name), `${JSON.stringify(result, null, 2)}\n`);
}

/** The last result of a bench, if there is one. */
export async function lastResult(name: string): Promise<StoredResult | undefined> {
  try {
    return JSON.parse(await readFile(fileOf(name), 'utf8')) as StoredResult;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function fileOf(name: string): string {
  return join(DIRECTORY, `${name}.json`);
}

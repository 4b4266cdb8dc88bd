import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { inheritedEnvironment } from '../config.ts';
import { lastLines } from '../last-lines.ts';
import { runCommand } from '../run-command.ts';
import { StartError } from '../start-error.ts';
import { CHECKOUT } from './node-service.ts';

const DASHBOARD = join(CHECKOUT, 'services', 'dashboard');
const SOURCES = ['src', 'build', 'index.html', 'package.json', 'vite.config.ts', '../../pnpm-lock.yaml'];

/** Where key-service finds the built dashboard. */
export const DASHBOARD_BUILD = join(DASHBOARD, 'dist');

/** Whether something that the dashboard is made of is newer than the last build. */
export async function isDashboardStale(): Promise<boolean> {
  const built = await lastChange(join(DASHBOARD_BUILD, 'index.html'));
  const changes = await Promise.all(SOURCES.map((source) => lastChange(join(DASHBOARD, source))));
  return built === undefined || changes.some((change) => change !== undefined && change > built);
}

/**
 * Builds the dashboard in a temporary directory and moves it into place atomically, because starts may run concurrently.
 *
 * @throws {StartError} with the last output of the build
 */
export async function buildDashboard(): Promise<void> {
  const aside = `${DASHBOARD_BUILD}.${randomBytes(6).toString('hex')}`;
  try {
    const {
      exitCode,
      output,
      problem = '',
    } = await runCommand(process.execPath, [vite(), 'build', '--logLevel', 'warn', '--outDir', aside], {
      cwd: DASHBOARD,
      // A parent such as a test runner may set another value, which would select React's slow and large build.
      env: { ...inheritedEnvironment(), NODE_ENV: 'production' },
    });
    if (exitCode !== 0)
      throw new StartError(`The dashboard cannot be built:\n${lastLines(output + problem)}`);
    await replace(DASHBOARD_BUILD, aside);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

function vite(): string {
  const manifest = createRequire(join(DASHBOARD, 'package.json')).resolve('vite/package.json');
  return join(dirname(manifest), 'bin', 'vite.js');
}

async function replace(directory: string, fresh: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  try {
    await rename(fresh, directory);
  } catch (error) {
    // Another start was faster, and has built the same.
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  }
}

/** Of the newest file in it, in milliseconds since 1970; undefined when there is none. */
async function lastChange(path: string): Promise<number | undefined> {
  const about = await stat(path).catch(() => undefined);
  if (about?.isDirectory() !== true) return about?.mtimeMs;
  const names = await readdir(path, { recursive: true });
  const changes = await Promise.all(names.map(async (name) => (await stat(join(path, name))).mtimeMs));
  return Math.max(...changes);
}

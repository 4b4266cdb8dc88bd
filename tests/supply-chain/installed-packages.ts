import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');

export interface Package {
  name: string;
  /** An SPDX expression. */
  licence: string;
}

/** All that is installed here, to build and to test too. */
export function allPackages(): Promise<Package[]> {
  return licences('--recursive');
}

/** What the image has, beside what is bundled into the dashboard. The same on every platform. */
export function shippedPackages(): Promise<Package[]> {
  return licences('--prod', '--no-optional', '--filter-prod', '{./services/*}...');
}

async function licences(...args: string[]): Promise<Package[]> {
  const command = ['-y', 'pnpm@12', 'licenses', 'list', '--json', ...args];
  const { stdout } = await run('npx', command, { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 });
  const byLicence = JSON.parse(stdout) as Record<string, { name: string }[]>;
  return Object.entries(byLicence)
    .flatMap(([licence, packages]) => packages.map(({ name }) => ({ name, licence })))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

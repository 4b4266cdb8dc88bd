import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFile(join(ROOT, path), 'utf8');

test('pnpm is pinned with its hash, and images are built with the same version', async () => {
  const { packageManager } = JSON.parse(await read('package.json')) as { packageManager: string };
  const [, version = 'none'] = /^pnpm@(\d+\.\d+\.\d+)\+sha512\.[0-9a-f]{128}$/.exec(packageManager) ?? [];
  expect(await read('deploy/Dockerfile')).toContain(`npm install --global pnpm@${version}\n`);
});

test('packages are at least two days old, and updates of every kind wait for a week', async () => {
  const workspace = parse(await read('pnpm-workspace.yaml')) as { minimumReleaseAge: number };
  expect(workspace.minimumReleaseAge).toBeGreaterThanOrEqual(2 * 24 * 60);
  const { updates } = parse(await read('.github/dependabot.yml')) as {
    updates: { cooldown?: { 'default-days': number } }[];
  };
  expect(updates.map(({ cooldown }) => cooldown?.['default-days'])).toEqual(updates.map(() => 7));
});

test('a release builds every image on bases that are named by digest', async () => {
  const script = await read('scripts/publish-images.sh');
  expect(script).toMatch(/pinned NODE_IMAGE\b[^]*pinned BASE_IMAGE\b[^]*docker buildx build /);
  expect(script).toContain('--build-arg "$node_image" --build-arg "$base_image"');
});

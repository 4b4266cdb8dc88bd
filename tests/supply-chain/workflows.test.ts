import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '..', '..');
const WORKFLOWS = join(ROOT, '.github', 'workflows');

interface Workflow {
  permissions: object;
  jobs: Record<string, { permissions: object; steps: { uses?: string; run?: string; with?: object }[] }>;
}

const files = await readdir(WORKFLOWS);

describe.each(files)('the workflow %s', async (file) => {
  const text = await readFile(join(WORKFLOWS, file), 'utf8');
  const { permissions, jobs } = parse(text) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  test('may read the sources and nothing else, and leaves no credentials behind', () => {
    expect(permissions).toEqual({});
    for (const [name, job] of Object.entries(jobs))
      expect(job.permissions, name).toEqual({ contents: 'read' });
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts).toHaveLength(Object.keys(jobs).length);
    for (const checkout of checkouts) expect(checkout.with).toMatchObject({ 'persist-credentials': false });
  });

  test('uses others by hash, so that nobody can put something else in their place', () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((uses) => !/@[0-9a-f]{40}$/.test(uses))).toEqual([]);
    // For people, and for what proposes updates.
    expect(text.match(/uses: \S+ # v\d/g)).toHaveLength(used.length);
  });

  test('runs only scripts that anybody can run here', async () => {
    const commands = steps.flatMap(({ run }) => run ?? []);
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      const script = command.replace(/^bash /, '');
      await expect(access(join(ROOT, script)), command).resolves.toBeUndefined();
    }
  });
});

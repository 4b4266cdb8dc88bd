import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '..', '..');
const WORKFLOWS = join(ROOT, '.github', 'workflows');
const READS = { contents: 'read' };
/** Jobs that may do more than read the sources. */
const MAY_MORE: Record<string, object> = {
  'release.yml images': { ...READS, packages: 'write', 'id-token': 'write' },
};

interface Job {
  permissions: object;
  /** Another workflow of ours, which is the whole job then. */
  uses?: string;
  steps?: { uses?: string; run?: string; with?: object }[];
  strategy?: { matrix: { step: string[] } };
}

async function read(file: string): Promise<{ text: string; permissions: object; jobs: Record<string, Job> }> {
  const text = await readFile(join(WORKFLOWS, file), 'utf8');
  return { text, ...(parse(text) as { permissions: object; jobs: Record<string, Job> }) };
}

describe.each(await readdir(WORKFLOWS))('the workflow %s', async (file) => {
  const { text, permissions, jobs } = await read(file);
  const withSteps = Object.values(jobs).filter(({ steps }) => steps !== undefined);
  const steps = withSteps.flatMap((job) => job.steps ?? []);

  test('may read the sources and little else, and leaves no credentials behind', () => {
    expect(permissions).toEqual({});
    for (const [name, job] of Object.entries(jobs)) {
      const wanted = MAY_MORE[`${file} ${name}`] ?? READS;
      expect(job.permissions, name).toEqual(wanted);
    }
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts).toHaveLength(withSteps.length);
    for (const checkout of checkouts) expect(checkout.with).toMatchObject({ 'persist-credentials': false });
  });

  test('uses others by hash, so that nobody can put something else in their place', () => {
    const used = [...Object.values(jobs), ...steps].flatMap(({ uses }) => uses ?? []);
    const others = used.filter((uses) => !uses.startsWith('./'));
    expect(used.length).toBeGreaterThan(0);
    expect(others.filter((uses) => !/@[0-9a-f]{40}$/.test(uses))).toEqual([]);
    // For people, and for what proposes updates.
    expect(text.match(/uses: \S+ # v\d/g)).toHaveLength(others.length);
  });

  test('runs only scripts that anyone can run here', async () => {
    const commands = steps.flatMap(({ run }) => run ?? []);
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      const [script = ''] = command.replace(/^bash /, '').split(' ');
      await expect(access(join(ROOT, script)), command).resolves.toBeUndefined();
    }
  });
});

test('each step of the release is verified in CI', async () => {
  const script = await readFile(join(ROOT, 'scripts', 'verify-release.sh'), 'utf8');
  const table = script.split(/^STEPS$/m)[0]?.split("'STEPS'\n")[1] ?? '';
  const steps = table.split('\n').flatMap((line) => /^\S+(?= \|)/.exec(line)?.[0] ?? []);
  const { jobs } = await read('verify.yml');
  expect(steps.length).toBeGreaterThan(0);
  expect(jobs['verify']?.strategy?.matrix.step).toEqual(steps);
});

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { alertRules, RUNBOOKS } from '../../alerts/alert-rules.ts';
import { ALL_DRILLS } from './all-drills.ts';

test('each alert is rehearsed, and nothing that is no alert', async () => {
  const rehearsed = new Set(ALL_DRILLS.flatMap(({ alerts }) => alerts));
  expect([...rehearsed].sort()).toEqual((await alertRules()).map(({ alert }) => alert).sort());
});

test('the transcripts in the runbooks are those of the drills that there are', async () => {
  for (const file of await readdir(RUNBOOKS)) {
    if (file === 'README.md') continue;
    const runbook = await readFile(join(RUNBOOKS, file), 'utf8');
    const transcripts = [...runbook.matchAll(/^### (.+)$/gm)].map(([, name]) => name);
    const drills = ALL_DRILLS.filter(({ alerts }) => alerts.includes(file.replace('.md', '')));
    expect(transcripts.sort(), file).toEqual(drills.map(({ name }) => name).sort());
  }
});

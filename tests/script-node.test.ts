import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const SCRIPTS = join(ROOT, 'scripts');

test.each(readdirSync(SCRIPTS))(
  '%s runs our sources with the pinned Node, whatever that of the machine',
  (name) => {
    const text = readFileSync(join(SCRIPTS, name), 'utf8');
    const [before] = text.split(/^.*\bnode \S+\.ts\b/m, 1);
    if (before !== text) expect(before).toMatch(/^(export )?PATH="?\$PWD\/node_modules\/\.bin:/m);
  },
);

test('no document has a command that runs our sources with the Node of the machine', () => {
  const pages = ['*.md', 'docs/**/*.md', '{services,libs,tools,deploy}/*/README.md'];
  const bare = globSync(pages, { cwd: ROOT, exclude: ['**/node_modules/**'] }).flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^.*(?<!exec )\bnode \S+\.ts\b.*$/gm)].map(
      ([line]) => `${page}: ${line}`,
    ),
  );
  expect(bare).toEqual([]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SCRIPTS = join(import.meta.dirname, '../scripts');

test.each(readdirSync(SCRIPTS))(
  '%s runs our sources with the pinned Node, whatever that of the machine',
  (name) => {
    const text = readFileSync(join(SCRIPTS, name), 'utf8');
    const [before] = text.split(/^.*\bnode \S+\.ts\b/m, 1);
    if (before !== text) expect(before).toMatch(/^(export )?PATH="?\$PWD\/node_modules\/\.bin:/m);
  },
);

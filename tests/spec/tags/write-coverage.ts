/* eslint-disable no-console -- the result goes to the terminal */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { coveragePage } from './coverage-page.ts';
import { taggedTests } from './tagged-tests.ts';

const page = join('docs', 'spec-coverage.md');
await writeFile(join(import.meta.dirname, '..', '..', '..', page), await coveragePage(await taggedTests()));
console.log(page);

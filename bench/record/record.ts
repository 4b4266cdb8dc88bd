import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatText } from '../../tests/format-text.ts';
import { markdownOfRows, replaceSection } from './markdown.ts';
import { CHECKOUT, currentCommit, lastResult } from './results.ts';
import type { StoredResult } from './results.ts';
import { summaryTable, updateFigures } from './summary.ts';
import type { Figures } from './summary.ts';

const DOCUMENT = join(CHECKOUT, 'docs', 'performance.md');
const FIGURES = join(CHECKOUT, 'docs', 'performance.json');

/** Writes what was measured at the current commit into docs/performance.md, and its figures into docs/performance.json. */
export async function record(names: readonly string[]): Promise<void> {
  const commit = await currentCommit();
  const results = (await Promise.all(names.map(lastResult))).filter(
    (result): result is StoredResult => result?.commit === commit,
  );
  let document = await readFile(DOCUMENT, 'utf8');
  for (const result of results) document = replaceSection(document, result.name, () => describe(result));
  const figures = updateFigures(JSON.parse(await readFile(FIGURES, 'utf8')) as Figures, results);
  await writeFile(FIGURES, `${JSON.stringify(figures, null, 2)}\n`);
  document = replaceSection(document, 'summary', () => summaryTable(figures));
  await writeFile(DOCUMENT, await formatText(DOCUMENT, document));
}

function describe({ name, date, commit, options, machine, loadBefore, tables }: StoredResult): string {
  const command = `npx -y pnpm@12 bench ${name} --seconds ${options.seconds} --pairs ${options.pairs}`;
  const when = `\`${command}\`, ${date.slice(0, 10)}, commit ${commit}; ${machine}; load before ${loadBefore}.`;
  return tables.map(({ note, rows }) => `${note}\n${when}\n\n${markdownOfRows(rows)}`).join('\n\n');
}

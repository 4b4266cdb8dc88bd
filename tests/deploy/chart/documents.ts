import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatText } from '../../format-text.ts';
import type { Helm } from '../helm/helm.ts';
import { CHART, MANIFESTS } from './paths.ts';
import { shareParts } from './share-parts.ts';
import { valuesSchema } from './values-schema.ts';
import { valuesTable } from './values-table.ts';

const TABLE = /(<!-- values -->\n)[\s\S]*(\n<!-- \/values -->)/;
const HEADER =
  '# Rendered from deploy/helm/cellarman with ci/default-values.yaml. Change it there and run `pnpm generate`.\n';
/** Migrations end and are applied first, everything else stays. */
const HOOK = /^ {4}helm\.sh\/hook: pre-install/m;

/** What is made of the services' configuration and of values.yaml: its path, and its text. */
export async function chartDocuments(): Promise<Map<string, string>> {
  const readme = await readFile(join(CHART, 'README.md'), 'utf8');
  const table = valuesTable(await readFile(join(CHART, 'values.yaml'), 'utf8'));
  const filled = readme.replace(TABLE, (_, begin: string, end: string) => `${begin}\n${table}\n${end}`);
  return new Map([
    [
      join(CHART, 'values.schema.json'),
      await formatText('schema.json', JSON.stringify(shareParts(valuesSchema()))),
    ],
    [join(CHART, 'README.md'), await formatText('README.md', filled)],
  ]);
}

/** What the chart renders, for those who use no Helm. */
export async function manifestDocuments(helm: Helm): Promise<Map<string, string>> {
  const rendered = await helm.template(join(CHART, 'ci', 'default-values.yaml'));
  const objects = rendered
    .split(/^---\n/m)
    .filter((text) => /^kind:/m.test(text) && !text.includes('helm.sh/hook: test'));
  const file = (isHook: boolean): string =>
    `${HEADER}${objects
      .filter((text) => HOOK.test(text) === isHook)
      .map((text) => `---\n${text}`)
      .join('')}`;
  return new Map([
    [join(MANIFESTS, 'migrate.yaml'), file(true)],
    [join(MANIFESTS, 'cellarman.yaml'), file(false)],
  ]);
}

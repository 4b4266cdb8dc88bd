import { join } from 'node:path';
import { formatText } from '../format-text.ts';
import type { Package } from './installed-packages.ts';

export const LICENCES_PAGE = join(import.meta.dirname, '..', '..', 'docs', 'licences.md');

/** docs/licences.md. Without versions, so that an update changes it only where a licence or a package is new. */
export async function licencesPage(shipped: readonly Package[]): Promise<string> {
  const licences = [...new Set(shipped.map(({ licence }) => licence))].sort();
  const sections = licences.map((licence) => {
    const names = shipped.filter((each) => each.licence === licence).map(({ name }) => `- ${name}`);
    return `## ${licence}\n\n${names.join('\n')}\n`;
  });
  const text = `# Licences

> Generated from what is installed. Run \`npx -y pnpm@12 generate\` after a change of packages.

Cellarman is under the [Apache License 2.0](../LICENSE). The image has these packages of others, each with the text of its licence in
its folder below \`node_modules\`. What is bundled into the dashboard is listed, with the texts, in \`services/dashboard/dist/.vite/license.md\`, which
the build writes.

A package whose licence is not on the list in [licences.ts](../tests/supply-chain/licences.ts) fails the tests, also one that only
builds or tests.

${sections.join('\n')}`;
  return formatText(LICENCES_PAGE, text);
}

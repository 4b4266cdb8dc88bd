import { formatText } from '../../format-text.ts';
import type { Requirement } from '../requirements/entry.ts';
import { DESIGN_REQUIREMENTS } from '../requirements/design-requirements.ts';
import { SPEC_REQUIREMENTS } from '../requirements/spec-requirements.ts';
import type { TaggedTest } from './tagged-tests.ts';

/** `docs/spec-coverage.md`: each requirement, and the tests that hold it. */
export async function coveragePage(tests: readonly TaggedTest[]): Promise<string> {
  const page = `# Which test holds which line of the specification

> Generated from the tags in \`tests/spec\`. Change them there and run \`pnpm generate\`.

Each test speaks HTTP with the whole product on real engines; where a reading is to be stored, it is read back from the
view \`readings\` in ClickHouse. A requirement without a test fails the run.

A line marked *choice* is one that the specification leaves open; it says what Cellarman does. One marked *dashboard* speaks of
the dashboard, and is tested on the management API, from which a dashboard has all that it shows.

## The specification

${table(SPEC_REQUIREMENTS, tests)}

## Beyond the specification

${table(DESIGN_REQUIREMENTS, tests)}
`;
  return formatText('page.md', page);
}

function table(requirements: Record<string, Requirement>, tests: readonly TaggedTest[]): string {
  let shown = '';
  const rows = Object.entries(requirements).map(([id, { section, kind, text }]) => {
    const heading = section === shown ? '' : section;
    shown = section;
    const mark = kind === 'said' ? '' : ` *(${kind})*`;
    const holding = tests.filter(({ ids }) => ids.includes(id)).map(linkTo);
    return `| ${heading} | \`${id}\` | ${text}${mark} | ${holding.join('<br>')} |`;
  });
  return ['| section | id | requirement | held by |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function linkTo({ file, title }: TaggedTest): string {
  return `${title} ([${file.replace('.integration.test.ts', '')}](../tests/spec/${file}))`;
}

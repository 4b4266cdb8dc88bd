import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { expect, test } from 'vitest';
import { buildDashboard } from '../src/build-dashboard.ts';
import { dashboardFiles } from '../src/files.ts';
import { PAGES } from '../src/pages.ts';

const files = await dashboardFiles();
const panels = PAGES.flatMap((page) =>
  page.rows.flatMap((row) => row.panels.map((panel) => ({ page: page.name, ...panel }))),
);

test.each([...files].map(([file, text]) => ({ name: basename(file), file, text })))(
  '$name is what its page says; else run: npx -y pnpm@12 generate',
  async ({ file, text }) => {
    expect(await readFile(file, 'utf8')).toBe(text);
  },
);

test('the chart has no other dashboard', async () => {
  const [file = ''] = files.keys();
  expect((await readdir(dirname(file))).sort()).toEqual(
    [...files.keys()].map((path) => basename(path)).sort(),
  );
});

test('panels stand side by side within the grid and do not overlap', () => {
  for (const page of PAGES) {
    const places = (buildDashboard(page).panels ?? []).map(({ gridPos }) => gridPos);
    const taken = new Set<string>();
    for (const place of places) {
      if (place === undefined) throw new Error(`${page.name} has a panel without a place`);
      for (let x = place.x; x < place.x + place.w; x++) {
        for (let y = place.y; y < place.y + place.h; y++) {
          expect(x, page.name).toBeLessThan(24);
          expect(taken, `${page.name} at ${x}, ${y}`).not.toContain(`${x}, ${y}`);
          taken.add(`${x}, ${y}`);
        }
      }
    }
  }
});

test.each(panels)('$page: "$title" says what one sees, of the chosen namespaces only', (panel) => {
  expect(panel.description).toMatch(/\.$/);
  for (const { expr, legend } of panel.queries) {
    expect(legend).not.toBe('');
    if (!expr.includes('ALERTS')) expect(expr).toContain('namespace=~"$namespace"');
  }
});

test('no panel has a fixed window where Grafana knows a better one', () => {
  for (const { queries } of panels) {
    // An increase is a number of things within a time that the title says.
    for (const { expr } of queries) expect(expr).not.toMatch(/rate\([^)]*\[\d/);
  }
});

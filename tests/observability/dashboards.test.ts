import { expect, test } from 'vitest';
import { dashboardPanels } from './dashboard-panels.ts';

const panels = await dashboardPanels();

test('there are panels with queries', () => {
  expect(panels.flatMap(({ queries }) => queries).length).toBeGreaterThan(50);
});

test('panels lie within the grid and do not overlap', () => {
  const taken = new Set<string>();
  for (const { dashboard, title, gridPos } of panels) {
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect(x, `${dashboard}: ${title}`).toBeLessThan(24);
        expect(taken, `${dashboard}: ${title}`).not.toContain(`${dashboard} ${x}, ${y}`);
        taken.add(`${dashboard} ${x}, ${y}`);
      }
    }
  }
});

test.each(panels.filter(({ queries }) => queries.length > 0))(
  '$dashboard, "$title" is described, and queries the chosen namespaces only',
  ({ description, queries }) => {
    expect(description).toMatch(/\.$/);
    for (const { expr, legend } of queries) {
      expect(legend).not.toBe('');
      if (!expr.includes('ALERTS')) expect(expr).toContain('namespace=~"$namespace"');
      // Grafana knows a better window than a fixed one. An increase is a number within a time that the title names.
      expect(expr).not.toMatch(/rate\([^)]*\[\d/);
    }
  },
);

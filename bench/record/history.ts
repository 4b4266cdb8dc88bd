import { markdownTable } from './markdown.ts';
import type { StoredResult } from './results.ts';

/** The columns of the history with their goals, as in `figures` of the results. */
const COLUMNS: Readonly<Record<string, string>> = {
  'single 64 × bare': '≥ 0.60',
  'single 64 CPU × bare': '≤ 1.8',
  'single 512 × bare': '≥ 0.85',
  'batches × bare': '≥ 0.25',
  'p99 ms at half rate': '≤ 10',
  'visible p50 ms': '≤ 300',
  'visible p99 ms': '≤ 1,000',
  'sink × direct': '≥ 0.9',
  'sink MiB': '≤ 400',
  'ingest MiB': '≤ 150',
  'key-service MiB': '≤ 150',
  'CPU × at 1,000,000 racks': '≤ 1.1',
  'CPU × at 100,000 keys': '≤ 1.1',
  'CPU × with telemetry': '≤ 1.05',
  'cold start s': '≤ 15',
  'warm start s': '≤ 10',
};

const HEAD = ['date', 'commit', 'load', ...Object.keys(COLUMNS)];
const GOALS = ['goal', '', '', ...Object.values(COLUMNS)];

/**
 * The history with the results in it: one row for each commit, whose cells are replaced by newer results of that commit.
 *
 * @param table as it stands in the document
 */
export function updateHistory(table: string, results: readonly StoredResult[]): string {
  const rows = readRows(table);
  for (const { date, commit, loadBefore, figures } of results) {
    // Some benches have a table and nothing to compare over time.
    if (!Object.keys(figures).some((name) => name in COLUMNS)) continue;
    let row = rows.find((cells) => cells[1] === commit);
    if (row === undefined) {
      row = [date.slice(0, 10), commit, String(loadBefore), ...Object.keys(COLUMNS).map(() => '')];
      rows.push(row);
    }
    // The busiest moment tells how far the row can be trusted.
    row[2] = String(Math.max(Number(row[2]), loadBefore));
    for (const [name, figure] of Object.entries(figures)) {
      const column = HEAD.indexOf(name);
      if (column >= 0) row[column] = figure.toLocaleString('en', { maximumSignificantDigits: 3 });
    }
  }
  return markdownTable(HEAD, [GOALS, ...rows]);
}

/** The rows of commits. A column that is new stays empty in them. */
function readRows(table: string): string[][] {
  const lines = table.split('\n').filter((line) => line.startsWith('|'));
  const cells = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const [head = [], , ...rows] = cells;
  return rows
    .filter((row) => row[0] !== GOALS[0])
    .map((row) => HEAD.map((name) => (head.includes(name) ? (row[head.indexOf(name)] ?? '') : '')));
}

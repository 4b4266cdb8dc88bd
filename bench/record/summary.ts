import { markdownTable } from './markdown.ts';
import type { StoredResult } from './results.ts';

/** What the summary in docs/performance.md lists, with its goal: names of `figures` of the results. */
const GOALS: Readonly<Record<string, string>> = {
  'single 64 × bare': '≥ 0.95',
  'single 64 CPU × bare': '≤ 1.1',
  'single 512 × bare': '≥ 1.0',
  'batches × bare': '≥ 0.30',
  'batches CPU × bare': '≤ 3.5',
  'p99 ms at half of the peak': '≤ 8',
  'visible p50 ms': '≤ 150',
  'visible p99 ms': '≤ 400',
  'sink × direct': '≥ 0.9',
  'sink MiB': '≤ 256',
  'bytes/reading in the topic': '≤ 45',
  'bytes/reading in ClickHouse': '≤ 13',
  'ingest MiB': '≤ 180',
  'key-service MiB': '≤ 150',
  'CPU × at 1,000,000 racks': '≤ 1.1',
  'CPU × at 100,000 keys': '≤ 1.1',
  'revocation p99 ms': '≤ 300',
  'slowest statement ms at 5,000,000 keys': '≤ 300',
  'WAL bytes per use of a key': '≤ 190',
  'goodput at 10 ×': '≥ 0.9',
  'p99 × with idle connections': '≤ 1.2',
  'KiB per idle connection': '',
  'chart ms from the click': '≤ 300',
  'chart frames in time': '',
  '% of a core for 100 live pages': '≤ 20',
  'cold start s': '≤ 12',
  'warm start s': '≤ 7',
};

const HEAD = ['figure', 'goal', 'latest', 'bench', 'commit', 'date'];

/**
 * Puts newer figures into the summary.
 *
 * @param table as it stands in the document
 */
export function updateSummary(table: string, results: readonly StoredResult[]): string {
  const rows = readRows(table);
  for (const { name, date, commit, figures } of results) {
    for (const [figure, value] of Object.entries(figures)) {
      const latest = value.toLocaleString('en', { maximumSignificantDigits: 3 });
      if (figure in GOALS) rows.set(figure, [latest, name, commit, date.slice(0, 10)]);
    }
  }
  const line = ([figure, goal]: [string, string]) => [
    figure,
    goal,
    ...(rows.get(figure) ?? ['', '', '', '']),
  ];
  return markdownTable(HEAD, Object.entries(GOALS).map(line));
}

/** The cells behind the goal, by the name of the figure. */
function readRows(table: string): Map<string, string[]> {
  const lines = table.split('\n').filter((line) => line.startsWith('|'));
  const cells = lines.map((line) => line.split('|').map((cell) => cell.trim()));
  return new Map(cells.map(([, figure = '', , ...latest]) => [figure, latest.slice(0, -1)]));
}

import { markdownTable } from './markdown.ts';
import type { StoredResult } from './results.ts';

/** Figures of goals, with their goal, and figures that `npx -y pnpm@12 size` computes with. */
const GOALS: Readonly<Record<string, string>> = {
  'single 64 × bare': '≥ 0.95',
  'single 64 CPU × bare': '≤ 1.1',
  'single 512 × bare': '≥ 1.0',
  'batches × bare': '≥ 0.30',
  'batches CPU × bare': '≤ 3.5',
  'p99 ms at half of the peak': '≤ 8',
  'visible p50 ms': '≤ 150',
  'visible p99 ms': '≤ 400',
  'first reading visible p99 ms': '≤ 300',
  '% of a core at 50 readings/s': '≤ 15',
  '% of a core at none': '≤ 6',
  'KiB written per reading at 50/s': '≤ 5',
  'sink × direct': '≥ 0.9',
  'sink MiB': '≤ 256',
  'bytes/reading in the topic': '≤ 40',
  'bytes/single reading in the topic': '≤ 120',
  'bytes/reading in ClickHouse': '≤ 12',
  'ingest MiB': '≤ 180',
  'key-service MiB': '≤ 150',
  'CPU × at 1,000,000 racks': '≤ 1.1',
  'CPU × at 100,000 keys': '≤ 1.1',
  'CPU × of ingest and sink at 3 replicas': '≤ 1.05',
  'revocation p99 ms': '≤ 300',
  'slowest statement ms at 5,000,000 keys': '≤ 300',
  'WAL bytes per use of a key': '≤ 190',
  'goodput at 10 ×': '≥ 0.9',
  'p99 × with idle connections': '≤ 1.2',
  'KiB per idle connection': '',
  'chart ms from the click': '≤ 300',
  'chart frames in time': '',
  'first contentful paint ms': '≤ 1500',
  'first load kB': '≤ 300',
  'layout shift': '≤ 0.05',
  '% of a core for 100 live pages': '≤ 20',
  'ingest CPU × beside 100 live pages': '≤ 1.05',
  'cold start s': '≤ 12',
  'warm start s': '≤ 7',
  'ingest CPU µs/single reading': '',
  'ingest CPU µs/reading in batches': '',
  'Kafka CPU µs/single reading': '',
  'Kafka CPU µs/reading in batches': '',
  'sink CPU µs/reading': '',
  'ClickHouse CPU µs/reading': '',
  'sink rows/s': '',
  'acknowledged p50 ms': '',
  'bytes/reading in record batches of 1': '',
  'bytes/reading in record batches of 2': '',
  'bytes/reading in record batches of 8': '',
  'bytes/reading in record batches of 32': '',
};

/** The latest value of a figure, as docs/performance.json has it by name. */
export interface Figure {
  value: number;
  bench: string;
  commit: string;
  /** YYYY-MM-DD */
  date: string;
}

export type Figures = Readonly<Record<string, Figure>>;

/** Puts newer results into the figures. */
export function updateFigures(figures: Figures, results: readonly StoredResult[]): Figures {
  const latest = { ...figures };
  for (const { name, date, commit, figures: measured } of results) {
    for (const [figure, value] of Object.entries(measured)) {
      if (figure in GOALS) latest[figure] = { value, bench: name, commit, date: date.slice(0, 10) };
    }
  }
  return latest;
}

/** Returns the table of docs/performance.md. */
export function summaryTable(figures: Figures): string {
  const rows = Object.entries(GOALS).map(([figure, goal]) => {
    const { value, bench = '', commit = '', date = '' } = figures[figure] ?? {};
    const latest = value?.toLocaleString('en', { maximumSignificantDigits: 3 }) ?? '';
    return [figure, goal, latest, bench, commit, date];
  });
  return markdownTable(['figure', 'goal', 'latest', 'bench', 'commit', 'date'], rows);
}

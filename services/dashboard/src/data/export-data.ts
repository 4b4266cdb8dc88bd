import type { ValueFormat } from '../charts/chart-series.ts';
import type { SeriesParams, SeriesResponse } from './data-queries.ts';

/** What spreadsheets run as a formula at the start of a cell, as in `csv-safe` of the read API. */
const FORMULA = /(^|;)([-=+@\t\r\n＝＋－＠])/g;

/** The steps of the chart, with the unit in the names of the columns. */
export function toCsv({ series }: SeriesResponse, { unit }: Pick<ValueFormat, 'unit'>): string {
  const measured = (name: string) => (unit === null ? name : `${name} (${unit})`);
  const head = [
    'rack',
    'keg',
    'start',
    ...['average', 'minimum', 'maximum', 'last'].map(measured),
    'readings',
  ];
  const rows = series.flatMap(({ rack, keg, points }) =>
    points.map(({ at, avg, min, max, last, count }) => [
      ...[rack, keg].map(cell),
      ...[at, avg, min, max, last, count].map(String),
    ]),
  );
  return [head.map(cell), ...rows].map((row) => `${row.join(',')}\n`).join('');
}

function cell(text: string): string {
  return `"${text.replaceAll(FORMULA, "$1'$2").replaceAll('"', '""')}"`;
}

/** The steps of the chart, one on each line. */
export function toNdjson({ series, step }: SeriesResponse, { unit }: Pick<ValueFormat, 'unit'>): string {
  return series
    .flatMap(({ rack, keg, points }) =>
      points.map((point) => `${JSON.stringify({ rack, keg, unit, step, ...point })}\n`),
    )
    .join('');
}

/** Returns the command that requests the same series with an API key. */
export function toCurl(origin: string, cellar: string, params: SeriesParams): string {
  const fields = Object.entries(params).flatMap(([name, value]: [string, unknown]) =>
    (Array.isArray(value) ? value : [value]).map((one) => `${name}=${String(one)}`),
  );
  return [
    `curl -G ${inShell(`${origin}/api/v1/query/cellars/${cellar}/series`)}`,
    `-H "X-API-Key: $CELLARMAN_API_KEY"`,
    ...fields.map((field) => `--data-urlencode ${inShell(field)}`),
  ].join(' \\\n  ');
}

function inShell(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}

/** Returns the path of the readings themselves, as a file. */
export function readingsPath(
  cellar: string,
  series: { rack: string; keg: string },
  { from, to }: Pick<SeriesResponse, 'from' | 'to'>,
): string {
  const query = new URLSearchParams({ ...series, from, to, format: 'csv', limit: '1000000' });
  return `/api/v1/query/cellars/${encodeURIComponent(cellar)}/readings?${query.toString()}`;
}

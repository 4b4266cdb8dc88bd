import type { Row } from '../bench.ts';

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function markdownOfRows(rows: readonly Row[]): string {
  const head = Object.keys(rows[0] ?? {});
  return markdownTable(
    head,
    rows.map((row) => head.map((name) => cell(row[name]))),
  );
}

/** What was not measured is NaN, and null when it comes out of a file. */
function cell(figure: string | number | null | undefined): string {
  if (typeof figure === 'string') return figure;
  return Number.isFinite(figure ?? Number.NaN)
    ? Number(figure).toLocaleString('en', { maximumFractionDigits: 3 })
    : '';
}

/**
 * A document with the text between `<!-- bench:NAME -->` and `<!-- /bench:NAME -->` replaced.
 *
 * @throws when the document has no such section
 */
export function replaceSection(document: string, name: string, change: (text: string) => string): string {
  const begin = `<!-- bench:${name} -->`;
  const end = `<!-- /bench:${name} -->`;
  const from = document.indexOf(begin) + begin.length;
  const to = document.indexOf(end);
  if (from < begin.length || to < from) throw new Error(`There is no section for ${name}: ${begin} … ${end}`);
  return `${document.slice(0, from)}\n\n${change(document.slice(from, to)).trim()}\n\n${document.slice(to)}`;
}

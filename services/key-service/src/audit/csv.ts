/** What a spreadsheet takes for the beginning of a formula; a tab or a line break before it does not help. */
const FORMULA = /^[=+\-@\t\r\n]/;

/**
 * One line of CSV (RFC 4180). Everything is quoted, and what a spreadsheet would run gets an apostrophe in front.
 *
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => quote(cell ?? '')).join(',')}\r\n`;
}

function quote(cell: string): string {
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return `"${safe.replaceAll('"', '""')}"`;
}

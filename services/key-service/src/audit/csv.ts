/**
 * What a spreadsheet takes for the beginning of a formula; a tab or a line break before it does not help. Where decimals have
 * a comma, a semicolon begins a new cell, also within quotes that are none there.
 */
const FORMULA = /(^|;)(?=[-=+@\t\r\n＝＋－＠])/g;

/**
 * One line of CSV (RFC 4180). Everything is quoted, and what a spreadsheet would run gets an apostrophe in front.
 *
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => quote(cell ?? '')).join(',')}\r\n`;
}

/** JSON without a semicolon, which a program reads as the same value. */
export function jsonCell(value: unknown): string {
  return JSON.stringify(value).replaceAll(';', String.raw`\u003b`);
}

function quote(cell: string): string {
  const safe = cell.replaceAll(FORMULA, "$1'");
  return `"${safe.replaceAll('"', '""')}"`;
}

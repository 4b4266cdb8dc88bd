import { printable } from './printable.ts';

export interface Table {
  add(rows: readonly (readonly string[])[]): Promise<void>;
}

/** Columns for people. Pages may be added one after the other; a column gets wider, never narrower. */
export function createTable(heading: readonly string[], print: (line: string) => Promise<void>): Table {
  const widths = heading.map((title) => title.length);
  let isBegun = false;

  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();

  return {
    async add(rows) {
      const cells = rows.map((row) => row.map(printable));
      for (const row of cells) {
        row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)));
      }
      if (!isBegun) await print(line(heading));
      isBegun = true;
      for (const row of cells) await print(line(row));
    },
  };
}

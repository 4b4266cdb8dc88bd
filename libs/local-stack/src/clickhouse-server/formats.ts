/** Formats in which every row stands for itself, so that blocks of rows can be put in a row. */
const rowFormats = new Set(
  [
    'JSONEachRow',
    'JSONLines',
    'JSONL',
    'NDJSON',
    'JSONStringsEachRow',
    'JSONCompactEachRow',
    'JSONCompactStringsEachRow',
    'CSV',
    'TabSeparated',
    'TSV',
    'TabSeparatedRaw',
    'TSVRaw',
    'TSKV',
    'LineAsString',
    'RawBLOB',
    'RowBinary',
    'Native',
    'MsgPack',
    'Null',
  ].map((name) => name.toLowerCase()),
);

/**
 * Formats whose names, and perhaps types, stand in lines before the first row. The engine repeats
 * them before each block that it streams, so the repeated lines are cut off.
 */
const headerLines = new Map<string, number>();
for (const base of ['JSONCompactEachRow', 'JSONCompactStringsEachRow', 'CSV', 'TabSeparated', 'TSV']) {
  headerLines.set(`${base}WithNames`.toLowerCase(), 1);
  headerLines.set(`${base}WithNamesAndTypes`.toLowerCase(), 2);
}

/** Null when the format is a document as a whole, such as JSON or Parquet. */
export function streamedHeaderLines(format: string): number | null {
  const name = format.toLowerCase();
  return rowFormats.has(name) ? 0 : (headerLines.get(name) ?? null);
}

/** Where the rows of a block begin, behind its `lines` lines of names and types. */
export function afterHeader(block: Buffer, lines: number, format: string): number {
  // Only CSV leaves a line break inside a name as it is, between quotes.
  const quotes = format.toLowerCase().startsWith('csv');
  let inQuotes = false;
  let left = lines;
  let position = 0;
  while (left > 0 && position < block.length) {
    const byte = block[position];
    position += 1;
    if (quotes && byte === QUOTE) inQuotes = !inQuotes;
    else if (byte === LINE_FEED && !inQuotes) left -= 1;
  }
  return position;
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;

export function contentTypeOf(format: string): string {
  for (const [pattern, type] of contentTypes) if (pattern.test(format)) return type;
  return 'text/plain; charset=UTF-8';
}

const contentTypes: [RegExp, string][] = [
  [/^(JSON(Lines|L|EachRow\w*)|NDJSON|JSON\w*EachRow\w*)$/i, 'application/x-ndjson; charset=UTF-8'],
  [/^JSON/i, 'application/json; charset=UTF-8'],
  [/^CSV/i, 'text/csv; charset=UTF-8'],
  [/^(TSV|TabSeparated)/i, 'text/tab-separated-values; charset=UTF-8'],
  [/^XML$/i, 'application/xml; charset=UTF-8'],
  [/^(RowBinary|Native|Parquet|Arrow|ORC|Avro|MsgPack|Protobuf|BSON|RawBLOB)/i, 'application/octet-stream'],
];

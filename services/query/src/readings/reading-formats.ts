import { ApiError } from '@cellarman/http-api';

export const FORMATS = ['json', 'ndjson', 'csv', 'csv-safe', 'csv-plain'] as const;
export type ReadingFormat = (typeof FORMATS)[number];

/**
 * Whether names that a spreadsheet would run as formulas are escaped: devices choose them. People open CSV in spreadsheets,
 * programs want the names as they are, and both can say otherwise.
 */
export function isSafeCsv(format: ReadingFormat, { isPerson }: { isPerson: boolean }): boolean {
  return format === 'csv-safe' || (format === 'csv' && isPerson);
}

const MEDIA_TYPES = new Map<string, ReadingFormat>([
  ['application/json', 'json'],
  ['application/x-ndjson', 'ndjson'],
  ['application/jsonl', 'ndjson'],
  ['text/csv', 'csv'],
  ['application/*', 'json'],
  ['*/*', 'json'],
]);

/** Returns the format in the query string, or else the first supported one in `Accept`. */
export function chooseFormat(named: ReadingFormat | undefined, accept: string | undefined): ReadingFormat {
  if (named !== undefined) return named;
  if (accept === undefined) return 'json';
  for (const part of accept.split(',')) {
    const format = MEDIA_TYPES.get(part.split(';', 1)[0]?.trim().toLowerCase() ?? '');
    if (format !== undefined) return format;
  }
  throw new ApiError(
    'invalid_request',
    'Readings come as application/json, application/x-ndjson or text/csv; Accept names none of them.',
  );
}

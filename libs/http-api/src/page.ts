import { Type } from '@sinclair/typebox';
import { ApiError } from './api-error.ts';

/** Lists come in pages: send `nextCursor` as `cursor` until it is null. */
export function pageQuery({ maxLimit = 200, defaultLimit = 50 } = {}) {
  return {
    limit: Type.Integer({ minimum: 1, maximum: maxLimit, default: defaultLimit, description: 'Page size.' }),
    cursor: Type.Optional(
      Type.String({ maxLength: 4_000, description: 'The `nextCursor` of the previous page.' }),
    ),
  };
}

export const nextCursorSchema = Type.Union([Type.String(), Type.Null()], {
  description: 'The cursor of the next page; null: this is the last page.',
});

/** Writes the position behind the row with these values. The format is private to the list and may change. */
export function writeCursor(values: readonly string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** @param length the number of values expected */
export function readCursor(cursor: string, length: number): string[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (
      Array.isArray(values) &&
      values.length === length &&
      values.every((value) => typeof value === 'string')
    ) {
      return values;
    }
  } catch {
    // Not JSON: rejected below.
  }
  throw invalidCursor();
}

export function invalidCursor(): ApiError {
  return new ApiError(
    'invalid_request',
    'Invalid cursor: send the nextCursor of the previous page unchanged',
  );
}

/** Cuts a page out of rows. The caller has selected one row more than the page size. */
export function cutPage<Row>(rows: Row[], limit: number, cursorOf: (last: Row) => readonly string[]) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasNext = rows.length > limit && last !== undefined;
  return { page, nextCursor: hasNext ? writeCursor(cursorOf(last)) : null };
}

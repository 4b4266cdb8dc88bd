import { Type } from '@sinclair/typebox';
import { Refusal } from './refusal.ts';

/** Lists come in pages: ask again with `cursor` until `nextCursor` is null. */
export const pageQuery = {
  limit: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 50,
    description: 'How many there are in a page.',
  }),
  cursor: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'The `nextCursor` of the page before, as it was.' }),
  ),
};

export const nextCursorSchema = Type.Union([Type.String(), Type.Null()], {
  description: 'Gives the next page; null: this is the last one.',
});

/** Where a list goes on: after the row with these values. It is text for us alone, so it may change. */
function writeCursor(values: readonly string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** @param length how many values there must be */
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
    // Not JSON: told below.
  }
  throw new Refusal('invalid_request', 'cursor is not one that this list gave');
}

/** Cuts a page out of rows of which one more was asked for than a page has. */
export function cutPage<Row>(rows: Row[], limit: number, cursorOf: (last: Row) => readonly string[]) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: rows.length > limit && last !== undefined ? writeCursor(cursorOf(last)) : null };
}

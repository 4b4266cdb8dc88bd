import { Type } from '@sinclair/typebox';
import { Refusal } from './refusal.ts';

/** Lists come in pages: ask again with `cursor` until the answer has none. */
export function pageQuery({ most, preset }: { most: number; preset: number }) {
  return {
    limit: Type.Integer({
      minimum: 1,
      maximum: most,
      default: preset,
      description: 'How many there are in a page.',
    }),
    cursor: Type.Optional(
      Type.String({ maxLength: 4_000, description: 'What the page before gave, as it was.' }),
    ),
  };
}

export const nextSchema = Type.Union([Type.String(), Type.Null()], {
  description: 'The cursor of the next page; null: this is the last one.',
});

/** Where a list goes on: after the row with these values. It is text for us alone, so it may change. */
export function writeCursor(values: readonly string[]): string {
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
  return { page, next: rows.length > limit && last !== undefined ? writeCursor(cursorOf(last)) : null };
}

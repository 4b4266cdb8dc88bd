import { cutPage as cut } from '@cellarman/http-api';
import { Type } from '@sinclair/typebox';

export { readCursor } from '@cellarman/http-api';

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

/** Cuts a page out of rows of which one more was asked for than a page has. */
export function cutPage<Row>(rows: Row[], limit: number, cursorOf: (last: Row) => readonly string[]) {
  const { page, next } = cut(rows, limit, cursorOf);
  return { page, nextCursor: next };
}

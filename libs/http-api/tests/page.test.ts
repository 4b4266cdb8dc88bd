import { describe, expect, test } from 'vitest';
import { cutPage, readCursor, writeCursor } from '../src/index.ts';

describe('a page', () => {
  const rows = ['a', 'ä "', 'c'].map((name) => ({ name }));

  test('has a cursor when there is more, which leads behind its last row', () => {
    const { page, nextCursor } = cutPage(rows, 2, ({ name }) => ['asc', name]);
    expect(page).toEqual(rows.slice(0, 2));
    expect(readCursor(nextCursor ?? '', 2)).toEqual(['asc', 'ä "']);
    expect(cutPage(rows, 3, ({ name }) => [name])).toEqual({ page: rows, nextCursor: null });
    expect(cutPage([], 3, () => [])).toEqual({ page: [], nextCursor: null });
  });

  test.each([
    ['no base64', '%%%'],
    ['no JSON', Buffer.from('nonsense').toString('base64url')],
    ['another length', writeCursor(['a'])],
    ['no texts', Buffer.from('[1, 2]').toString('base64url')],
    ['no list', Buffer.from('{"length": 2}').toString('base64url')],
  ])('rejects a cursor that is %s', (_case, cursor) => {
    expect(() => readCursor(cursor, 2)).toThrow('Invalid cursor');
  });
});

import { describe, expect, it } from 'vitest';
import { parseInsert } from '../src/clickhouse-server/insert-statement.ts';
import { firstWord, formatClause, hasSecondStatement } from '../src/clickhouse-server/sql-text.ts';

describe('the first word', () => {
  it.each([
    ['select 1', 'SELECT'],
    ['-- note\n/* INSERT */ ((SELECT 1))', 'SELECT'],
    ['# note\nINSERT INTO t', 'INSERT'],
    ['', ''],
    ['/* open', ''],
  ])('of %j is %j', (sql, word) => {
    expect(firstWord(sql)).toBe(word);
  });
});

describe('the FORMAT clause', () => {
  it.each([
    ['SELECT 1 FORMAT CSV', 'CSV'],
    ['SELECT 1 format JSON;', 'JSON'],
    ['SELECT 1 FORMAT JSON SETTINGS a = 1, b = 2', 'JSON'],
    ['SELECT 1 FORMAT JSON -- FORMAT CSV', 'JSON'],
    ["SELECT 'x FORMAT CSV'", undefined],
    ["SELECT 'it''s \\' FORMAT CSV'", undefined],
    ['SELECT `FORMAT` FROM t', undefined],
    ['SELECT format FROM t', undefined],
    ["SELECT format('{}', 1)", undefined],
    ['SELECT 1', undefined],
  ])('of %j is %j', (sql, format) => {
    expect(formatClause(sql)).toBe(format);
  });
});

describe('a second statement', () => {
  it.each([
    ['SELECT 1;', false],
    ['SELECT 1; -- done', false],
    ["SELECT ';' ; ", false],
    ['SELECT 1; SELECT 2', true],
  ])('in %j: %j', (sql, second) => {
    expect(hasSecondStatement(sql)).toBe(second);
  });
});

describe('INSERT', () => {
  const parts = (sql: string): unknown => {
    const parsed = parseInsert(Buffer.from(sql));
    return parsed && { ...parsed, target: parsed.target.trim(), inlineData: parsed.inlineData.toString() };
  };

  it.each([
    ['INSERT INTO t FORMAT CSV', 'INSERT INTO t', '', 'CSV', ''],
    ['INSERT INTO t FORMAT CSV\n\n1\n', 'INSERT INTO t', '', 'CSV', '\n1\n'],
    ['INSERT INTO t FORMAT CSV  1', 'INSERT INTO t', '', 'CSV', '1'],
    ['insert into d.t (a, `FORMAT`) values (1)', 'insert into d.t (a, `FORMAT`)', '', 'Values', '(1)'],
    ['INSERT INTO t SETTINGS a = 1, b = 2 FORMAT CSV', 'INSERT INTO t', 'SETTINGS a = 1, b = 2 ', 'CSV', ''],
    ['INSERT INTO format FORMAT CSV', 'INSERT INTO format', '', 'CSV', ''],
    ['INSERT INTO TABLE d.values VALUES (1)', 'INSERT INTO TABLE d.values', '', 'Values', '(1)'],
    ['INSERT INTO "SELECT" FORMAT CSV', 'INSERT INTO "SELECT"', '', 'CSV', ''],
    ['INSERT INTO maß FORMAT CSV ü', 'INSERT INTO maß', '', 'CSV', 'ü'],
    ['INSERT INTO t (a)', 'INSERT INTO t (a)', '', 'Values', ''],
  ])('%j is taken apart', (sql, target, settings, format, inlineData) => {
    expect(parts(sql)).toEqual({ target, settings, format, inlineData });
  });

  it.each(['INSERT INTO t SELECT 1', 'INSERT INTO t (a) WITH 1 AS x SELECT x', 'INSERT INTO t (SELECT 1)'])(
    '%j has no data',
    (sql) => {
      expect(parts(sql)).toBeNull();
    },
  );

  it('keeps binary data as it is', () => {
    const data = Buffer.from([0xff, 0x0a, 0x0a, 0x00, 0xc3]);
    const parsed = parseInsert(Buffer.concat([Buffer.from('INSERT INTO t FORMAT RowBinary\n'), data]));
    expect(parsed?.inlineData.equals(data)).toBe(true);
  });
});

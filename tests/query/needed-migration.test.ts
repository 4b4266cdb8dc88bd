import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NEEDED_MIGRATION, NEEDED_TABLES } from '../../services/query/src/clickhouse/watch.ts';
import { MIGRATIONS } from '../../services/sink/src/migrate/migrations.ts';

const SOURCES = join(import.meta.dirname, '../../services/query/src');

/** `FROM readings`, and the names that a migration makes. */
const named = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);

test('query is ready when the tables that its statements name are there, and no earlier', () => {
  const texts = globSync(join(SOURCES, '**/*.ts')).map((file) => readFileSync(file, 'utf8'));
  // `recent AS (SELECT …`
  const subqueries = new Set(texts.flatMap((text) => named(text, /\b([a-z_]+) AS \(\s*SELECT\b/g)));
  const asked = new Set(
    texts
      .flatMap((text) => named(text, /\b(?:FROM|JOIN) ([a-z_]+)/g))
      .filter((name) => !subqueries.has(name)),
  );
  expect(asked).toEqual(new Set([...NEEDED_TABLES, 'schema_migrations']));
  const needed = MIGRATIONS.filter(({ statements }) =>
    named(statements.join(';'), /\bCREATE (?:TABLE|VIEW) IF NOT EXISTS (\w+)/g).some((name) =>
      asked.has(name),
    ),
  ).map(({ number }) => number);
  expect(Math.max(...needed)).toBe(NEEDED_MIGRATION);
});

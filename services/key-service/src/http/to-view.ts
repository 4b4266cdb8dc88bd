import type { Static, TObject } from '@sinclair/typebox';

/**
 * Returns the properties of a schema, each from the column that has its name in snake case, and times in ISO 8601. Columns
 * that the schema does not name, such as hashes, are left out.
 *
 * @param others properties that no column has
 */
export function toView<Schema extends TObject>(
  schema: Schema,
  row: object,
  others: Partial<Static<Schema>> = {},
): Static<Schema> {
  const columns = row as Readonly<Record<string, unknown>>;
  const view: Record<string, unknown> = {};
  for (const name of Object.keys(schema.properties)) {
    const value = columns[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
    view[name] = value instanceof Date ? value.toISOString() : value;
  }
  return { ...view, ...others };
}

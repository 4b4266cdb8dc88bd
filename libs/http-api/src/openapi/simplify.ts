/** A schema or a part of one: JSON of which nothing else is known. */
export type Json = Record<string, unknown>;

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Rewrites every object in a document, the innermost first. */
export function rewrite(value: unknown, change: (object: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, change));
  if (!isJson(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rewrite(item, change)])));
}

/** Shortens the unions that TypeBox writes: literals become one `enum`, and `null` beside a type becomes a second type. */
export function simplifyUnion(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || !anyOf.every(isJson)) return schema;
  if (anyOf.every(isLiteral)) {
    const types = [...new Set(anyOf.map(({ type }) => type))];
    return { type: types.length === 1 ? types[0] : types, enum: anyOf.map(valueOf), ...rest };
  }
  const [only, ...others] = anyOf.filter(({ type }) => type !== 'null');
  const isNullable = others.length === 0 && only !== undefined && anyOf.length === 2;
  if (!isNullable || typeof only['type'] !== 'string' || only['title'] !== undefined) return schema;
  return { ...only, type: [only['type'], 'null'], ...rest };
}

function isLiteral({ type, enum: values, const: value, ...rest }: Json): boolean {
  const isOne = value !== undefined || type === 'null' || (Array.isArray(values) && values.length === 1);
  return isOne && Object.keys(rest).length === 0;
}

function valueOf({ type, enum: values, const: value }: Json): unknown {
  if (type === 'null') return null;
  return Array.isArray(values) ? (values as unknown[])[0] : value;
}

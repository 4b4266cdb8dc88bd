interface Part {
  name: string;
  text: string;
  count: number;
}

/** Shorter parts are as easy to read where they are as by a reference. */
const SHORTEST = 95;

/** Returns the same schema in which a part that occurs several times stands once, in `definitions`. */
export function shareParts(schema: object): object {
  const parts = new Map<string, Part>();
  JSON.stringify(schema, (key, value: unknown) => {
    if (!isPart(value)) return value;
    const text = JSON.stringify(value);
    const part = parts.get(text) ?? { name: key, text, count: 0 };
    parts.set(text, { ...part, count: part.count + 1 });
    return value;
  });
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const { name, text, count } of parts.values()) {
    if (count < 2 || text.length < SHORTEST) continue;
    let free = name;
    for (let number = 2; taken.has(free); number += 1) free = `${name}${number}`;
    taken.add(free);
    names.set(text, free);
  }
  const definitions: Record<string, unknown> = {};
  const refer = (value: unknown, isDefinition = false): unknown => {
    if (Array.isArray(value)) return value.map((item) => refer(item));
    if (typeof value !== 'object' || value === null) return value;
    const name = isDefinition ? undefined : names.get(JSON.stringify(value));
    if (name === undefined) {
      return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, refer(field)]));
    }
    definitions[name] ??= refer(value, true);
    return { $ref: `#/definitions/${name}` };
  };
  const whole = refer(schema) as object;
  return { ...whole, definitions };
}

/** `properties` is no part itself, but a list of parts, one of which may be called `type` or `enum`. */
function isPart(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return (
    ('type' in value && typeof value.type === 'string') || ('enum' in value && Array.isArray(value.enum))
  );
}

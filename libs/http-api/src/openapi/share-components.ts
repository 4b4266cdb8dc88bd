import { pascalCase } from './error-responses.ts';
import { isJson, rewrite } from './simplify.ts';
import type { Json } from './simplify.ts';

/**
 * Moves each schema with a `title` to `components.schemas` under that name and refers to it.
 *
 * @param schemas gets them
 * @throws {Error} when two different schemas have the same title
 */
export function shareSchemas(value: unknown, schemas: Json): unknown {
  return rewrite(value, (schema) => {
    const { title, ...rest } = schema;
    // `info` has a title too, and a property may be called so.
    if (typeof title !== 'string' || !('type' in rest || 'anyOf' in rest)) return schema;
    if (schemas[title] !== undefined && JSON.stringify(schemas[title]) !== JSON.stringify(rest)) {
      throw new Error(`two different schemas are called ${title}`);
    }
    schemas[title] = rest;
    return { $ref: `#/components/schemas/${title}` };
  });
}

interface Occurrence {
  name: string;
  content: Json;
  replace: (reference: Json) => void;
}

type Paths = Record<string, Record<string, { parameters?: Json[] }>>;

/** Replaces parameters and headers that occur several times by references. Returns the components that they refer to. */
export function shareParametersAndHeaders(document: { paths: Json; responses: Json }) {
  const parameters = Object.entries(document.paths as Paths).flatMap(([path, operations]) =>
    Object.values(operations).flatMap(({ parameters: list = [] }) =>
      list.map((content, index) => ({
        name: nameOf(content, path),
        content,
        replace: (reference: Json) => void (list[index] = reference),
      })),
    ),
  );
  const headers: Occurrence[] = [];
  visit(document, (object) => {
    const { headers: map, content: isResponse } = object;
    if (!isJson(map) || isResponse === undefined) return;
    for (const [name, content] of Object.entries(map)) {
      headers.push({ name, content: content as Json, replace: (reference) => void (map[name] = reference) });
    }
  });
  return { parameters: share(parameters, 'parameters'), headers: share(headers, 'headers') };
}

/** `id` alone names nothing: that of `/keys/{id}` is `key-id`. */
function nameOf({ name }: Json, path: string): string {
  const [, collection] = /\/([^/]+)s\/\{id\}/.exec(path) ?? [];
  return name === 'id' && collection !== undefined ? `${collection}-id` : String(name);
}

/** Where several variants have one name, the most frequent is shared; the others stay where they are. */
function share(occurrences: Occurrence[], kind: string): Json {
  const shared: Json = {};
  for (const [name, sameName] of Map.groupBy(occurrences, (occurrence) => occurrence.name)) {
    const variants = Map.groupBy(sameName, ({ content }) => JSON.stringify(content));
    const most = [...variants.values()].toSorted((a, b) => b.length - a.length)[0] ?? [];
    const [first] = most;
    if (first === undefined || most.length < 2) continue;
    const component = pascalCase(name);
    shared[component] = first.content;
    for (const { replace } of most) replace({ $ref: `#/components/${kind}/${component}` });
  }
  return shared;
}

function visit(value: unknown, see: (object: Json) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, see);
  } else if (isJson(value)) {
    see(value);
    for (const item of Object.values(value)) visit(item, see);
  }
}

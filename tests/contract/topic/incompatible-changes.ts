import { ANNOTATIONS } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import type { PublishedShape } from './published-shape.ts';

/**
 * What would break a consumer that was written for the published shape, one sentence for each change.
 *
 * The rule: every message of the new shape is also one of the published shape. So a field may be added, but not
 * as a required one, because the topic still holds messages without it; and values may get narrower, never wider.
 */
export function incompatibleChanges(published: PublishedShape, current: PublishedShape): string[] {
  const changes: string[] = [];
  if (current.topic !== published.topic) changes.push(`the topic was renamed to ${current.topic}`);
  if (current.key.key !== published.key.key) {
    changes.push(`the key was ${published.key.key} and is ${current.key.key}`);
  }
  changes.push(...changesOfObject('header', published.headers, current.headers));
  changes.push(...changesOfObject('field', published.value, current.value));
  return changes;
}

function changesOfObject(what: string, published: JsonSchema, current: JsonSchema): string[] {
  const changes: string[] = [];
  const before = published.properties ?? {};
  const now = current.properties ?? {};
  for (const [name, schema] of Object.entries(before)) {
    const currentSchema = now[name];
    if (currentSchema === undefined) changes.push(`${what} ${name} was removed`);
    else changes.push(...changesOfValue(`${what} ${name}`, schema, currentSchema));
  }
  for (const name of published.required ?? []) {
    if (current.required?.includes(name) !== true) changes.push(`${what} ${name} is no longer required`);
  }
  for (const name of current.required ?? []) {
    if (before[name] === undefined) {
      changes.push(`${what} ${name} is new and required, but older messages do not have it`);
    }
  }
  changes.push(...changesOfValue(`the ${what}s as a whole`, published, current, OF_THE_FIELDS));
  return changes;
}

/** Compared one by one. */
const OF_THE_FIELDS = ['properties', 'required'] as const;

/** Keywords that bound a value, and whether the new bound allows nothing that the old one forbade. */
const BOUNDS: Record<string, (before: never, now: never) => boolean> = {
  minLength: (before: number, now: number) => now >= before,
  minimum: (before: number, now: number) => now >= before,
  maxLength: (before: number, now: number) => now <= before,
  maximum: (before: number, now: number) => now <= before,
  enum: (before: unknown[], now: unknown[]) => now.every((value) => before.includes(value)),
};

function changesOfValue(
  what: string,
  published: JsonSchema,
  current: JsonSchema,
  aside: readonly string[] = [],
): string[] {
  const before = constraints(published, aside);
  const now = constraints(current, aside);
  const changes: string[] = [];
  for (const keyword of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const [old, recent] = [before[keyword], now[keyword]];
    // A keyword that was not there before can only forbid more.
    if (old === undefined || JSON.stringify(old) === JSON.stringify(recent)) continue;
    if (recent === undefined) changes.push(`${what} lost its ${keyword} ${JSON.stringify(old)}`);
    else if (BOUNDS[keyword]?.(old as never, recent as never) !== true) {
      changes.push(`${what} had ${keyword} ${JSON.stringify(old)} and has ${JSON.stringify(recent)}`);
    }
  }
  return changes;
}

function constraints(schema: JsonSchema, aside: readonly string[]): Record<string, unknown> {
  const ignored: readonly string[] = [...ANNOTATIONS, ...aside];
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !ignored.includes(keyword)));
}

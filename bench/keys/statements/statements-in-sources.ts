import { glob, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

const SOURCES = join(import.meta.dirname, '../../../services/key-service/src');

/** A template literal that begins like a statement, or is the argument of `query`. */
const STATEMENT =
  /(?:`(?=\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\s)|(?<=query(?:<[^(]*>)?\(\s*)`)(?:[^`\\]|\\.)*`/g;

export interface StatementInSources {
  /** As in `keys/list-keys.ts:41`. */
  place: string;
  /** Whether an executed statement is this one: it has all its constant parts, in their order. */
  isTextOf: (text: string) => boolean;
}

/** Every SQL statement in the sources of key-service, so that a new one is measured or reported as missing. */
export async function statementsInSources(): Promise<StatementInSources[]> {
  const found: StatementInSources[] = [];
  for await (const path of glob(`${SOURCES}/**/*.ts`)) {
    const source = await readFile(path, 'utf8');
    for (const { 0: literal, index } of source.matchAll(STATEMENT)) {
      const parts = withoutExpressions(literal.slice(1, -1))
        .map(normalise)
        .filter((part) => part.length > 1);
      const line = source.slice(0, index).split('\n').length;
      found.push({
        place: `${relative(SOURCES, path)}:${line}`,
        isTextOf: (text) => {
          let from = 0;
          const whole = normalise(text);
          return parts.every((part) => {
            const at = whole.indexOf(part, from);
            from = at + part.length;
            return at >= 0;
          });
        },
      });
    }
  }
  return found.toSorted((a, b) => (a.place < b.place ? -1 : 1));
}

/** Splits a template literal at its `${…}`, which may contain braces. */
function withoutExpressions(literal: string): string[] {
  return literal.split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/);
}

const normalise = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

import { shorten } from './shorten.ts';

/** The fields of one object by name, each with its value as it stands in the text. */
export type TokenizedObject = { fields: Map<string, string> } | { reason: string };

const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = new RegExp(
  `${STRING.source}|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null`,
  'y',
);
const PUNCTUATION = /[[\]{},:]/y;

/**
 * Splits one JSON object into its fields. JSON.parse would hide what must be seen: a name that occurs twice, and the
 * digits of a number. A field of a later version may hold an object or an array, which stays one piece.
 */
export function tokenizeObject(text: string): TokenizedObject {
  const fields = new Map<string, string>();
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) return undefined;
    at = pattern.lastIndex;
    return match[0];
  };
  const takeSign = (sign: string): boolean => {
    take(SPACE);
    if (text[at] !== sign) return false;
    at++;
    take(SPACE);
    return true;
  };
  /** An object or an array: brackets find its end, JSON.parse decides whether it is valid. */
  const takeNested = (): string | undefined => {
    const start = at;
    let depth = 0;
    do {
      const token = take(PUNCTUATION) ?? take(SCALAR);
      if (token === undefined) return undefined;
      if (token === '{' || token === '[') depth++;
      else if (token === '}' || token === ']') depth--;
      take(SPACE);
    } while (depth > 0);
    const nested = text.slice(start, at);
    return isJson(nested) ? nested : undefined;
  };
  const failure = () => ({ reason: `not a JSON object: unexpected text at character ${at}` });

  if (!takeSign('{')) return failure();
  do {
    const name = take(STRING);
    if (name === undefined || !takeSign(':')) return failure();
    const value = text[at] === '{' || text[at] === '[' ? takeNested() : take(SCALAR);
    if (value === undefined) return failure();
    const key = JSON.parse(name) as string;
    if (fields.has(key)) return { reason: `the field ${shorten(name)} occurs twice` };
    fields.set(key, value);
  } while (takeSign(','));
  if (!takeSign('}') || at !== text.length) return failure();
  return { fields };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

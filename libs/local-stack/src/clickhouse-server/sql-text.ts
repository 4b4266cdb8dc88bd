/**
 * Reads from a statement, before it runs, its first word and its FORMAT clause. The engine parses it again; a wrong guess here
 * makes a response slower, never different.
 */

/** The first word in capitals, such as SELECT or INSERT; empty when there is none. */
export function firstWord(sql: string): string {
  for (const token of tokens(sql)) {
    if (token !== '(') return /^\w/.test(token) ? token.toUpperCase() : '';
  }
  return '';
}

/** The name in `… FORMAT name` at the end, also before SETTINGS; undefined when there is none. */
export function formatClause(sql: string): string | undefined {
  let word: string | undefined;
  let format: string | undefined;
  for (const token of tokens(sql)) {
    if (word?.toUpperCase() === 'FORMAT') format = /^\w+$/.test(token) ? token : undefined;
    else if (word !== undefined && word === format) {
      if (token.toUpperCase() !== 'SETTINGS' && token !== ';') format = undefined;
    }
    word = token;
  }
  return format;
}

/** Whether anything stands behind a semicolon. */
export function hasSecondStatement(sql: string): boolean {
  let ended = false;
  for (const token of tokens(sql)) {
    if (token === ';') ended = true;
    else if (ended) return true;
  }
  return false;
}

/** `INSERT … SELECT … FROM input(…)` reads the body of the request, which the engine does not see. */
export function readsInputFunction(sql: string): boolean {
  let word = '';
  for (const token of tokens(sql)) {
    if (token === '(' && word.toUpperCase() === 'INPUT') return true;
    word = token;
  }
  return false;
}

const skipped = String.raw`\s+|--[^\n]*|#[ !][^\n]*|/\*[^]*?\*/`;
const quoted = String.raw`'(?:[^'\\]|\\[^]|'')*'|"(?:[^"\\]|\\[^]|"")*"|\x60(?:[^\x60\\]|\\[^]|\x60\x60)*\x60`;
const pattern = new RegExp(`(${skipped})|${quoted}|\\w+|[^]`, 'g');

/** Words, quoted texts and single signs, without white space and comments. */
function* tokens(sql: string): Generator<string> {
  for (const token of locatedTokens(sql)) yield token.text;
}

export interface Token {
  text: string;
  start: number;
  end: number;
}

export function* locatedTokens(sql: string): Generator<Token> {
  for (const match of sql.matchAll(pattern)) {
    const [text, blank] = match;
    if (blank === undefined) yield { text, start: match.index, end: match.index + text.length };
  }
}

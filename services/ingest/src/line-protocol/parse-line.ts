/** Few enough to sort in one turn of the event loop. */
const MAX_TAGS = 64;

/*
 * A backslash escapes a comma, a space and an equals sign; any other is part of the name. No alternative of these expressions
 * matches what another one matches, so that they take linear time.
 */
const ESCAPE = String.raw`\\(?:[, =]|(?![, =]))`;
const NAME = String.raw`[^\\, =\n]*(?:${ESCAPE}[^\\, =\n]*)*`;
const MEASUREMENT = new RegExp(String.raw`[^\\, \n]*(?:${ESCAPE}[^\\, \n]*)*`, 'y');
const TAG = new RegExp(String.raw`,(?!=)(${NAME})=(?![, \n]|$)(${NAME})(?![^, \n])`, 'y');
const STRING = String.raw`"[^"\\]*(?:\\[^][^"\\]*)*"`;
const FIELD = new RegExp(String.raw`(?!=)(${NAME})=(${STRING}|(?!")${NAME})(?![^, \r\n])`, 'y');
const OPEN_STRING = new RegExp(String.raw`(?!=)${NAME}="[^"\\]*(?:\\[^][^"\\]*)*\\?$`, 'y');
const SPACES = /[ \r]*/y;
const TIMESTAMP = /[ \r]*([^, =\r\n]*)[ \r]*/y;
const ESCAPED = /\\([, =])/g;

export interface Field {
  name: string;
  value: string;
  /** Where it begins in the line. */
  start: number;
}

/** One line, without the escapes of its names. */
export interface ParsedLine {
  measurement: string;
  /** By name, so that a series is the same in whatever order a client writes them. */
  tags: ReadonlyMap<string, string>;
  fields: Field[];
  timestamp: string;
  /** Position of the line feed, or the end of the text. */
  end: number;
}

/** The line is not line protocol. An object and no error: the stack trace would take longer than parsing. */
export interface LineProblem {
  problem: string;
  /** Where parsing stopped: at the beginning of a string without an end, or before the end of the line. */
  position: number;
  isOpenString?: true;
}

/**
 * Parses the line at the beginning of `text`, which may go on behind its line feed.
 *
 * @param text latin1: each character is one byte
 */
export function parseLine(text: string): ParsedLine | LineProblem {
  const measurement = match(MEASUREMENT, text, 0)?.[0] ?? '';
  if (measurement === '') return { problem: 'The line has no measurement', position: 0 };
  let position = measurement.length;
  const pairs: [name: string, value: string][] = [];
  while (text[position] === ',') {
    if (pairs.length === MAX_TAGS) return { problem: `A line must have at most ${MAX_TAGS} tags`, position };
    const tag = match(TAG, text, position);
    if (tag === null) return { problem: NOT_A_TAG, position };
    pairs.push([tag[1] as string, tag[2] as string]);
    position = TAG.lastIndex;
  }
  // An escape is written in one way only, so escaped names are compared.
  pairs.sort(([a], [b]) => (a < b ? -1 : 1));
  const tags = new Map(pairs.map(([name, value]) => [unescape(name), unescape(value)]));
  if (tags.size < pairs.length) return { problem: 'The line has a tag twice', position };

  const fields: Field[] = [];
  match(SPACES, text, position);
  position = SPACES.lastIndex;
  do {
    const start = fields.length === 0 ? position : position + 1;
    const field = match(FIELD, text, start);
    if (field === null) return fieldProblem(text, start);
    fields.push({ name: unescape(field[1] as string), value: field[2] as string, start });
    position = FIELD.lastIndex;
  } while (text[position] === ',');

  const timestamp = match(TIMESTAMP, text, position)?.[1] as string;
  const end = TIMESTAMP.lastIndex;
  if (end < text.length && text[end] !== '\n') {
    return { problem: 'The line goes on after its timestamp', position };
  }
  return { measurement: unescape(measurement), tags, fields, timestamp, end };
}

const NOT_A_TAG = 'A tag must be key=value, with escaped special characters';
const NOT_A_FIELD = 'A field must be key=value, with escaped special characters';

function match(expression: RegExp, text: string, position: number): RegExpExecArray | null {
  expression.lastIndex = position;
  return expression.exec(text);
}

function fieldProblem(text: string, position: number): LineProblem {
  if (match(OPEN_STRING, text, position) === null) return { problem: NOT_A_FIELD, position };
  return { problem: 'A string has no closing quote', position, isOpenString: true };
}

function unescape(name: string): string {
  return name.includes('\\') ? name.replace(ESCAPED, '$1') : name;
}

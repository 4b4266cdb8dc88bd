import { NAME_PATTERN, readingSchema } from '@cellarman/reading';
import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';

/**
 * Validates a body by other means than the scanner: the platform's decoder and parser, the schema of the contract as Ajv
 * reads it (which counts code points), the source text that JSON.parse gives to a reviver, and Date. It is slow and
 * plain, and shares no line with the scanner.
 */
export type Verdict =
  | { code: 'invalid_json' }
  /** `named` must all stand in the message. */
  | { code: 'invalid_reading'; named: string[] }
  | { code: 'accepted'; members: Map<string, Member>; timestampMs: number };

interface Member {
  name: string;
  /** The text of the value as it stands in the body. */
  raw: string;
  value: unknown;
}

const ajv = new Ajv();
const fieldChecks = new Map<string, ValidateFunction>(
  Object.entries(readingSchema.properties).map(([name, schema]) => [name, ajv.compile(schema)]),
);

export function judge(bytes: Buffer): Verdict {
  let text: string;
  let whole: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    whole = JSON.parse(text);
  } catch {
    return { code: 'invalid_json' };
  }
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) {
    return { code: 'invalid_reading', named: ['A reading must be a JSON object'] };
  }

  const members = new Map<string, Member>();
  for (const member of topLevelMembers(text)) {
    if (members.has(member.name) || !isGoodMember(member)) {
      return { code: 'invalid_reading', named: [JSON.stringify(member.name)] };
    }
    members.set(member.name, member);
  }
  const missing = [...fieldChecks.keys()].filter((name) => !members.has(name));
  if (missing.length > 0) {
    return { code: 'invalid_reading', named: missing.map((name) => JSON.stringify(name)) };
  }
  return { code: 'accepted', members, timestampMs: millisecondsOf(String(members.get('timestamp')?.value)) };
}

/** The text is known to be JSON, so a regular expression can distinguish its tokens. */
function topLevelMembers(text: string): Member[] {
  const tokens = [...text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)];
  const members: Member[] = [];
  let depth = 0;
  let key: string | undefined;
  let valueStart = 0;
  for (const [index, token] of tokens.entries()) {
    if (depth === 1 && key === undefined && token[0].startsWith('"')) {
      key = token[0];
      valueStart = tokens[index + 2]?.index ?? 0;
    }
    if (depth === 1 && key !== undefined && (token[0] === ',' || token[0] === '}')) {
      const raw = text.slice(valueStart, token.index).trimEnd();
      members.push({ name: JSON.parse(key) as string, raw, value: JSON.parse(raw) });
      key = undefined;
    }
    if (token[0] === '{' || token[0] === '[') depth++;
    if (token[0] === '}' || token[0] === ']') depth--;
  }
  return members;
}

function isGoodMember({ name, raw, value }: Member): boolean {
  if (fieldChecks.get(name)?.(value) !== true) return false;
  if (typeof value === 'number') return isHonestNumber(raw);
  if (typeof value !== 'string') return false;
  if (name === 'timestamp') return sourceOf(raw) === `"${value}"` && isCalendarTime(value);
  return value.isWellFormed() && (name === 'cellar' || new RegExp(NAME_PATTERN, 'u').test(value));
}

/** What JSON.parse itself says that the literal was. */
function sourceOf(raw: string): string {
  let source = '';
  JSON.parse(raw, (_key, value: unknown, context?: { source?: string }) => {
    source = context?.source ?? '';
    return value;
  });
  return source;
}

function isHonestNumber(raw: string): boolean {
  const source = sourceOf(raw);
  const double = Number(source);
  if (!Number.isFinite(double)) return false;
  if (/^-?\d+$/.test(source)) return BigInt(source) === BigInt(double);
  const [mantissa = ''] = source.toLowerCase().split('e');
  return double !== 0 || !/[1-9]/.test(mantissa);
}

function isCalendarTime(text: string): boolean {
  const seconds = new Date(`${text.slice(0, 19)}Z`);
  return !Number.isNaN(seconds.getTime()) && seconds.toISOString().slice(0, 19) === text.slice(0, 19);
}

function millisecondsOf(text: string): number {
  const fraction = text.slice(20, -1).padEnd(3, '0').slice(0, 3);
  return Date.parse(`${text.slice(0, 19)}Z`) + Number(fraction);
}

import { fieldName } from './match-field.ts';
import { byteAt } from './scan-position.ts';
import type { ScanState } from './scan-state.ts';
import { reject } from './scan-state.ts';

/** By the first character of a value. Numbers begin with any other. */
const TYPES: Readonly<Record<string, string>> = {
  '"': 'a string',
  '{': 'an object',
  '[': 'an array',
  t: 'a boolean',
  f: 'a boolean',
  n: 'null',
};

/** Ends the scan because the value of a field has another type. */
export function rejectType(
  field: number,
  expected: string,
  bytes: Buffer,
  start: number,
  end: number,
  state: ScanState,
): number {
  const received = TYPES[String.fromCharCode(byteAt(bytes, start, end))] ?? 'a number';
  return reject(state, start, `"${fieldName(field)}" must be ${expected}, not ${received}`);
}

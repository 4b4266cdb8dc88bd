import { EXACT_DIGITS } from '@cellarman/reading';

const NUMBER = /^(-?)(\d*)(\.\d*)?([eE][+-]?\d+)?([iu]?)$/;
const LEADING_ZEROS = /^0+(?=\d)/;

/**
 * Writes a number of line protocol as one of JSON with the same digits: `1.5`, `.5`, `007`, `12i`, `12u`. Whether a double
 * can represent it is checked later, by the rules of every reading. Returns undefined when it is none.
 */
export function toJsonNumber(text: string): string | undefined {
  const [, sign = '', integer = '', fraction = '', exponent = '', suffix] = NUMBER.exec(text) ?? [];
  if (suffix === undefined || (integer === '' && fraction.length < 2)) return undefined;
  const isFloat = fraction !== '' || exponent !== '';
  if (suffix !== '' && (isFloat || (suffix === 'u' && sign === '-'))) return undefined;
  // JSON allows neither leading zeros nor a missing integer part or fraction.
  const digits = integer === '' ? '0' : integer.replace(LEADING_ZEROS, '');
  if (isFloat) return `${sign}${digits}${fraction.length > 1 ? fraction : ''}${exponent}`;
  // A reading without a fraction is an integer and must be exact. Here it is a float, however it is written.
  return suffix === '' && digits.length > EXACT_DIGITS ? `${sign}${digits}.0` : sign + digits;
}

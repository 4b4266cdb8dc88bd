import { Type } from '@sinclair/typebox';
import { ApiError } from '@cellarman/http-api';
import { isCommonPassword } from './common-passwords.ts';

/** In characters. No rule says which: those make passwords worse, not better. */
const PASSWORD_LENGTH = { minimum: 12, maximum: 1_024 } as const;

export const newPasswordSchema = Type.String({
  minLength: PASSWORD_LENGTH.minimum,
  maxLength: PASSWORD_LENGTH.maximum,
  description: 'Any characters. A common password is rejected.',
});

/** What an attacker of this product tries first. */
const WORDS_OF_THE_PRODUCT = ['cellarman', 'cellar', 'telemetry', 'dashboard', 'administrator', 'admin'];

/** Checks new passwords only, not existing ones. @throws {ApiError} `invalid_request` */
export function requireGoodPassword(password: string, email: string): void {
  const length = charactersOf(password);
  if (length < PASSWORD_LENGTH.minimum || length > PASSWORD_LENGTH.maximum) {
    throw weak(`must have ${PASSWORD_LENGTH.minimum} to ${PASSWORD_LENGTH.maximum} characters`);
  }
  if (isCommonPassword(password)) throw weak('is too common; choose another');
  if (isMostly(password, [...WORDS_OF_THE_PRODUCT, email, ...email.split('@')])) {
    throw weak('consists mostly of your email or the product name; choose another');
  }
}

/** Returns whether little is left without these words, as in `cellarman-2026!`. */
function isMostly(password: string, words: readonly string[]): boolean {
  const lower = password.toLowerCase();
  const longestFirst = words.filter((word) => word.length >= 4).toSorted((a, b) => b.length - a.length);
  const rest = longestFirst.reduce((text, word) => text.replaceAll(word.toLowerCase(), ''), lower);
  return rest !== lower && charactersOf(rest) < PASSWORD_LENGTH.minimum / 2;
}

/** Code points, as JSON Schema counts them. */
function charactersOf(text: string): number {
  return Array.from(text).length;
}

function weak(reason: string): ApiError {
  return new ApiError('invalid_request', `The password ${reason}`);
}

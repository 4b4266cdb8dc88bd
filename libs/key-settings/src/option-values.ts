/* Options and columns come as texts. */

/** A value that a user has to correct. */
export class InvalidInput extends Error {}

export function positiveNumber(what: string, text: string): number {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (number > 0) return number;
  throw new InvalidInput(`${what} must be a positive number, not ${text}`);
}

export function positiveInteger(what: string, text: string): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number > 0) return number;
  throw new InvalidInput(`${what} must be a positive whole number, not ${text}`);
}

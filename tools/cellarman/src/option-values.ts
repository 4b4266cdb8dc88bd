import { EXIT, Failure } from './failure.ts';

/* Options and columns come as texts. */

export function positiveNumber(what: string, text: string): number {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (number > 0) return number;
  throw new Failure(EXIT.usage, `${what} must be a positive number, not ${text}`);
}

export function positiveInteger(what: string, text: string): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number > 0) return number;
  throw new Failure(EXIT.usage, `${what} must be a positive whole number, not ${text}`);
}

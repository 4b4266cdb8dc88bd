import { Type } from '@sinclair/typebox';
import type { TArray, TBoolean, TInteger, TString } from '@sinclair/typebox';

/** What every variable says about itself; `docs/configuration.md` is made of it. */
interface About<Value> {
  /** One plain sentence for an operator, with the unit. */
  description: string;
  /** Without a default the variable is required. */
  default?: Value;
}

/** A whole number, within the given bounds. */
export function integer(about: About<number> & { minimum?: number; maximum?: number }): TInteger {
  return Type.Integer(about);
}

/** A TCP port; 0 lets the operating system choose. */
export function port(about: About<number>): TInteger {
  return Type.Integer({ minimum: 0, maximum: 65_535, ...about });
}

/** `true` or `false`. */
export function flag(about: About<boolean>): TBoolean {
  return Type.Boolean(about);
}

export function text(about: About<string> & { pattern?: string }): TString {
  return Type.String({ minLength: 1, ...about });
}

/** A URL with one of the given schemes, such as `http` and `https`. */
export function url(about: About<string> & { schemes: readonly string[] }): TString {
  const { schemes, ...rest } = about;
  return Type.String({ pattern: `^(${schemes.join('|')})://[^\\s/]+`, ...rest });
}

/** A text that no message, log line or document may show. */
export function secret(about: About<string> & { minLength?: number }): TString {
  return Type.String({ minLength: 1, ...about, secret: true });
}

/** Several texts, separated by commas. */
export function list(about: About<string[]>): TArray<TString> {
  return Type.Array(Type.String({ minLength: 1 }), { minItems: 1, separator: ',', ...about });
}

import { tlsHint } from '@cellarman/tls';

/** What a log line contains of an error. Clients attach whole commands and configurations to theirs, passwords included. */
export interface DescribedError {
  type: string;
  message: string;
  code?: string | number;
  stack?: string;
  /** What to do about it. */
  hint?: string;
  cause?: DescribedError;
  aggregateErrors?: DescribedError[];
}

/** A deeper chain of causes is a bug, or a cycle. */
const MAX_DEPTH = 8;

/** Returns the fields of an error that are safe to log. A thrown value that is not an error becomes its text. */
export function describeError(error: unknown): DescribedError {
  const hint = tlsHint(error);
  return { ...describe(error, MAX_DEPTH), ...(hint === undefined ? {} : { hint }) };
}

function describe(error: unknown, depth: number): DescribedError {
  // Not by `instanceof`: an error may come from another realm, such as a worker's.
  if (!isErrorLike(error)) return { type: typeof error, message: String(error) };
  const { name, message, code, stack, cause, errors } = error;
  const below = depth > 1;
  return {
    type: error.constructor?.name ?? name ?? 'Error',
    message,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(typeof stack === 'string' ? { stack } : {}),
    ...(below && cause !== undefined ? { cause: describe(cause, depth - 1) } : {}),
    ...(below && Array.isArray(errors)
      ? { aggregateErrors: errors.map((each) => describe(each, depth - 1)) }
      : {}),
  };
}

interface ErrorLike {
  constructor?: { name?: string };
  name?: string;
  message: string;
  code?: unknown;
  stack?: unknown;
  cause?: unknown;
  errors?: unknown[];
}

function isErrorLike(value: unknown): value is ErrorLike {
  return (
    typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
  );
}

/** Up to the last `@` before the path: a password may contain one that was not percent-encoded. */
const USER_INFO = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/?#"\\]*@/gi;
const SECRET_PARAMETER = /([?&](?:password|passwd|token|secret|api_?key)=)[^&#\s"\\]+/gi;

/** Returns the text without the credentials of the URLs in it: error messages quote connection strings. */
export function hideUrlCredentials(text: string): string {
  return text.replace(USER_INFO, '$1[hidden]@').replace(SECRET_PARAMETER, '$1[hidden]');
}

import type { ErrorCode } from '@cellarman/contracts';

/** Exit codes, described in `docs/command-line.md`. */
export const EXIT = { done: 0, rejected: 1, usage: 2, unreachable: 3, interrupted: 130 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What a user can do about an error. The message of the service describes the error. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  unauthenticated:
    'Managing cellars and keys requires an active service token (CELLARMAN_TOKEN), reading data an API key with the scope read (CELLARMAN_API_KEY).',
  insufficient_scope: 'Create a key with that scope: cellarman keys create CELLAR NAME --scopes ingest,read',
  forbidden: 'Use a service token with the role owner, or for keys the role member.',
  cellar_mismatch: 'Use a key of that cellar.',
  not_found: 'List the names with: cellarman cellars list, cellarman keys list CELLAR',
  query_too_expensive: 'Query one rack or keg: --rack, --keg',
  rate_limited: 'Give the key a higher rate, or send more slowly.',
  unavailable: 'Retry; after keys rotate or cellars create, check the list first.',
  internal_error: 'The log of the service has the reason.',
};

/** Why a command failed, as one line for the user. */
export class Failure extends Error {
  readonly exitCode: ExitCode;
  /** From the error catalogue, if a service returned an error. */
  readonly code: string | undefined;

  constructor(exitCode: ExitCode, message: string, options: { code?: string; cause?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'Failure';
    this.exitCode = exitCode;
    this.code = options.code;
  }
}

/** One line: what is wrong, the code, and what to do. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Failure)) return error instanceof Error ? error.message : String(error);
  const { message, code } = error;
  const advice = code === undefined ? undefined : ADVICE[code as ErrorCode];
  return [code === undefined ? message : `${code}: ${message}`, advice]
    .filter((part) => part !== undefined)
    .join(' ');
}

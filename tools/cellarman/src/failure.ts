import type { ErrorCode } from '@cellarman/contracts';

/** What the command ends with; `docs/command-line.md` explains them. */
export const EXIT = { done: 0, refused: 1, usage: 2, unreachable: 3, interrupted: 130 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What a person can do about a refusal. The message of the service says what is wrong. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  unauthenticated:
    'Managing takes an active service token (CELLARMAN_TOKEN), reading back an API key with the scope read (CELLARMAN_API_KEY).',
  insufficient_scope: 'Make a key with that scope: cellarman keys create CELLAR NAME --scopes ingest,read',
  forbidden: 'Use a service token with the role owner.',
  cellar_mismatch: 'Use a key of that cellar.',
  not_found: 'Look at the names with: cellarman cellars list, cellarman keys list CELLAR',
  query_too_expensive: 'Ask for one rack or keg: --rack, --keg',
  rate_limited: 'Give the key a higher rate, or send more slowly.',
  unavailable: 'Try again; after keys rotate or cellars create look at the list first.',
  internal_error: 'The log of the service has the reason.',
};

/** Why a command ends early, in one line for a person. */
export class Failure extends Error {
  readonly exitCode: ExitCode;
  /** From the error catalogue, where a service has refused. */
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

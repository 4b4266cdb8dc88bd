/** What to do about a failed connection, by the code that Node gives it. The first that fits counts. */
const HINTS: readonly [RegExp, string][] = [
  [
    /^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|CERT_SIGNATURE_FAILURE|CERT_UNTRUSTED)$/,
    'This process does not trust the authority that signed the certificate of the server: add that authority to the file in NODE_EXTRA_CA_CERTS.',
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    'The certificate of the server is for other names: use one of them in the URL, or add this name to the certificate.',
  ],
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    'The certificate of the server has expired or is not valid yet: renew it, or check the clocks.',
  ],
  [
    /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|RECORD_LAYER_FAILURE|UNEXPECTED_MESSAGE)$/,
    'The other side does not speak TLS at this port: give the port that does, or a URL without TLS.',
  ],
  [
    // Some servers report a missing client certificate with the alert that others send for a rejected one.
    /^ERR_SSL_.*ALERT_(CERTIFICATE_\w+|HANDSHAKE_FAILURE|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|DECRYPT_ERROR)$/,
    'The other side requires a client certificate that it trusts and that has not expired: KAFKA_, REDIS_ or CLICKHOUSE_TLS_CERT_FILE and …_KEY_FILE name it.',
  ],
  [
    /^ERR_SSL_.*(PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|NO_SHARED_CIPHER)$/,
    'Both sides must speak TLS 1.2 or newer.',
  ],
  [
    /^HANDSHAKE_BROKEN_OFF$/,
    'The TLS handshake failed. If it always fails, the other side may not speak TLS at this port: check the scheme and the port of the URL.',
  ],
  [
    /^HPE_INVALID_/,
    'The other side does not respond in HTTP. It may speak TLS at this port: then the URL needs https://.',
  ],
];

/** A deeper chain of causes is a bug, such as a cycle. */
const MAX_DEPTH = 8;

/**
 * One sentence that says what to do about a connection that failed because of TLS, for the log.
 *
 * @returns undefined for every other error
 */
export function tlsHint(error: unknown): string | undefined {
  for (const code of codesOf(error, MAX_DEPTH)) {
    const found = HINTS.find(([pattern]) => pattern.test(code));
    if (found !== undefined) return found[1];
  }
  return undefined;
}

/** Of the error and what caused it, which is where fetch and rejections have the reason. */
function codesOf(error: unknown, depth: number): string[] {
  if (!(error instanceof Error) || depth === 0) return [];
  const { cause, errors } = error as Error & { errors?: unknown };
  const below = [...(Array.isArray(errors) ? (errors as unknown[]) : []), cause];
  return [...codeOf(error), ...below.flatMap((each) => codesOf(each, depth - 1))];
}

function codeOf({ code, message }: NodeJS.ErrnoException): string[] {
  if (typeof code !== 'string') return [];
  // Node has only words for this one.
  return /before secure TLS connection/.test(message) ? ['HANDSHAKE_BROKEN_OFF'] : [code];
}

/**
 * Returns true for the first error of an outage that has a hint. The log has one line for an outage, and the errors before may
 * have had none.
 */
export function createFirstHint(): (error: unknown) => boolean {
  let logged: string | undefined;
  return (error) => {
    const hint = tlsHint(error);
    const isFirstHint = hint !== undefined && hint !== logged;
    if (isFirstHint) logged = hint;
    return isFirstHint;
  };
}

/** An error with the code of ClickHouse's catalogue, worded the way its server words it. */
export class ClickHouseException extends Error {
  override readonly name = 'ClickHouseException';
  readonly code: number;

  /** `message` as in `Code: 60. DB::Exception: Table t does not exist. (UNKNOWN_TABLE)`. */
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }

  /** One of our own rejections, in the engine's wording, because clients parse the text. */
  static reject(rejection: ApiError, text: string): ClickHouseException {
    const code = rejections[rejection];
    return new ClickHouseException(code, `Code: ${code}. DB::Exception: ${text}. (${rejection})`);
  }

  static from(error: unknown): ClickHouseException {
    if (error instanceof ClickHouseException) return error;
    const text = error instanceof Error ? error.message : String(error);
    const code = /^Code: (\d+)/.exec(text)?.[1];
    if (code !== undefined) return new ClickHouseException(Number(code), unwrap(text));
    return ClickHouseException.reject('UNKNOWN_EXCEPTION', text);
  }
}

/** Names and codes of ClickHouse's own catalogue (`system.errors`). */
const rejections = {
  BAD_ARGUMENTS: 36,
  NOT_IMPLEMENTED: 48,
  SYNTAX_ERROR: 62,
  UNKNOWN_TYPE_OF_QUERY: 78,
  UNKNOWN_COMPRESSION_METHOD: 89,
  UNKNOWN_SETTING: 115,
  TOO_MANY_SIMULTANEOUS_QUERIES: 202,
  SOCKET_TIMEOUT: 209,
  QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING: 216,
  QUERY_IS_TOO_LARGE: 229,
  ABORTED: 236,
  SESSION_IS_LOCKED: 373,
  AUTHENTICATION_FAILED: 516,
  UNKNOWN_EXCEPTION: 1002,
} as const;

export type ApiError = keyof typeof rejections;

/** The embedded engine repeats its own frame around some errors, and names files of this process. */
function unwrap(text: string): string {
  const frame = /^Code: \d+\. DB::Exception: (?=Code: \d+\. DB::Exception: )/;
  const tail = /(\([A-Z0-9_]+\)) \(version [^()]+\)\. \([A-Z0-9_]+\)$/;
  let inner = text
    .replace(/: \(in file\/uri [^()]*\)/, '')
    .replace(/: While executing File: data for INSERT was parsed from file/, '');
  while (frame.test(inner) && tail.test(inner)) {
    inner = inner.replace(frame, '').replace(tail, '$1');
  }
  return inner;
}

/**
 * The HTTP status for an exception code, after `exceptionCodeToHTTPStatus.cpp` of ClickHouse.
 * Clients decide by it whether to send again.
 */
export function statusOfException(code: number): number {
  for (const [status, codes] of codesByStatus) if (code in codes) return status;
  return 500;
}

const codesByStatus: [status: number, codes: Record<number, string>][] = [
  [401, { 194: 'REQUIRED_PASSWORD' }],
  [
    403,
    {
      192: 'UNKNOWN_USER',
      193: 'WRONG_PASSWORD',
      497: 'ACCESS_DENIED',
      512: 'SET_NON_GRANTED_ROLE',
      516: 'AUTHENTICATION_FAILED',
    },
  ],
  [
    400,
    {
      6: 'CANNOT_PARSE_TEXT',
      8: 'THERE_IS_NO_COLUMN',
      15: 'DUPLICATE_COLUMN',
      25: 'CANNOT_PARSE_ESCAPE_SEQUENCE',
      26: 'CANNOT_PARSE_QUOTED_STRING',
      27: 'CANNOT_PARSE_INPUT_ASSERTION_FAILED',
      36: 'BAD_ARGUMENTS',
      37: 'UNKNOWN_ELEMENT_IN_AST',
      38: 'CANNOT_PARSE_DATE',
      41: 'CANNOT_PARSE_DATETIME',
      44: 'ILLEGAL_COLUMN',
      53: 'TYPE_MISMATCH',
      62: 'SYNTAX_ERROR',
      72: 'CANNOT_PARSE_NUMBER',
      117: 'INCORRECT_DATA',
      123: 'UNKNOWN_TYPE_OF_AST_NODE',
      167: 'TOO_DEEP_AST',
      168: 'TOO_BIG_AST',
      223: 'UNEXPECTED_AST_STRUCTURE',
      321: 'VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE',
      376: 'CANNOT_PARSE_UUID',
      427: 'CANNOT_COMPILE_REGEXP',
      441: 'CANNOT_PARSE_DOMAIN_VALUE_FROM_STRING',
      675: 'CANNOT_PARSE_IPV4',
      676: 'CANNOT_PARSE_IPV6',
    },
  ],
  [
    404,
    {
      46: 'UNKNOWN_FUNCTION',
      47: 'UNKNOWN_IDENTIFIER',
      50: 'UNKNOWN_TYPE',
      56: 'UNKNOWN_STORAGE',
      60: 'UNKNOWN_TABLE',
      63: 'UNKNOWN_AGGREGATE_FUNCTION',
      73: 'UNKNOWN_FORMAT',
      78: 'UNKNOWN_TYPE_OF_QUERY',
      81: 'UNKNOWN_DATABASE',
      115: 'UNKNOWN_SETTING',
      152: 'UNKNOWN_DIRECTION_OF_SORTING',
      336: 'UNKNOWN_DATABASE_ENGINE',
      511: 'UNKNOWN_ROLE',
    },
  ],
  [408, { 159: 'TIMEOUT_EXCEEDED' }],
  [411, { 381: 'HTTP_LENGTH_REQUIRED' }],
  [413, { 229: 'QUERY_IS_TOO_LARGE' }],
  [415, { 779: 'UNSUPPORTED_MEDIA_TYPE' }],
  [501, { 48: 'NOT_IMPLEMENTED' }],
  [503, { 76: 'CANNOT_OPEN_FILE', 209: 'SOCKET_TIMEOUT', 439: 'CANNOT_SCHEDULE_TASK' }],
];

import { ClickHouseError } from '@clickhouse/client';

/**
 * The errors that say "this row is bad", from src/Common/ErrorCodes.cpp of ClickHouse. Only these take a batch apart.
 * Everything else says something about the server, the network or the schema, and waiting is right.
 *
 * Two that look like it are left out: 252 TOO_MANY_PARTS, and 33 CANNOT_READ_ALL_DATA, which a cut connection gives.
 */
export const BAD_DATA_CODES: ReadonlyMap<number, string> = new Map([
  [6, 'CANNOT_PARSE_TEXT'],
  [25, 'CANNOT_PARSE_ESCAPE_SEQUENCE'],
  [26, 'CANNOT_PARSE_QUOTED_STRING'],
  [27, 'CANNOT_PARSE_INPUT_ASSERTION_FAILED'],
  [38, 'CANNOT_PARSE_DATE'],
  [41, 'CANNOT_PARSE_DATETIME'],
  [69, 'ARGUMENT_OUT_OF_BOUND'],
  [70, 'CANNOT_CONVERT_TYPE'],
  [72, 'CANNOT_PARSE_NUMBER'],
  [117, 'INCORRECT_DATA'],
  [131, 'TOO_LARGE_STRING_SIZE'],
  [321, 'VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE'],
  [349, 'CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN'],
  [407, 'DECIMAL_OVERFLOW'],
  [467, 'CANNOT_PARSE_BOOL'],
  [469, 'VIOLATED_CONSTRAINT'],
  [632, 'UNEXPECTED_DATA_AFTER_PARSED_VALUE'],
]);

export function isBadData(error: unknown): error is ClickHouseError {
  return error instanceof ClickHouseError && BAD_DATA_CODES.has(Number(error.code));
}

import { ClickHouseError } from '@clickhouse/client';
import { ApiError } from '@cellarman/http-api';
import { describe, expect, test } from 'vitest';
import { toRejection } from '../src/clickhouse/failure.ts';

const never = new AbortController().signal;
const failedWith = (code: string) => new ClickHouseError({ message: 'it failed', code, type: 'SOME_ERROR' });

describe('an error of ClickHouse', () => {
  test.each([
    ['198', 'the name of a server cannot be resolved'],
    ['201', 'the quota of the user is used up'],
    ['202', 'too many queries'],
    ['209', 'a socket timed out'],
    ['210', 'a connection broke'],
    ['242', 'a replica is read-only'],
    ['279', 'no replica of a shard can be reached'],
    ['999', 'Keeper is away'],
  ])('%s, %s: 503, try again', (code) => {
    expect(toRejection(failedWith(code), never)).toMatchObject({ code: 'unavailable', cause: { code } });
  });

  test.each([
    ['164', 'a setting that the profile does not let query change'],
    ['452', 'a setting beyond the constraints of the profile'],
    ['497', 'a missing grant'],
    ['516', 'a wrong password'],
  ])('%s, %s: 503, which the operator must fix', (code) => {
    expect(toRejection(failedWith(code), never)).toMatchObject({ code: 'unavailable', cause: { code } });
  });

  test.each(['158', '159', '160', '241', '307'])('%s: 400, request less', (code) => {
    expect(toRejection(failedWith(code), never)).toMatchObject({ code: 'query_too_expensive' });
  });

  test('62, a syntax error, is a bug of query', () => {
    expect(toRejection(failedWith('62'), never)).not.toBeInstanceOf(ApiError);
  });
});

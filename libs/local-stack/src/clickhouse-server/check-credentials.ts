import { timingSafeEqual } from 'node:crypto';
import { ClickHouseException } from './clickhouse-exception.ts';

export interface Credentials {
  user: string;
  password: string;
}

export function checkCredentials(
  expected: Credentials,
  given: { user: string | undefined; password: string | undefined },
): void {
  const sameUser = (given.user ?? 'default') === expected.user;
  if (sameUser && equalTexts(given.password ?? '', expected.password)) return;
  throw ClickHouseException.refuse(
    'AUTHENTICATION_FAILED',
    `${given.user ?? 'default'}: Authentication failed: password is incorrect, or there is no user with such name`,
  );
}

function equalTexts(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

import { timingSafeEqual } from 'node:crypto';
import { ClickHouseException } from './clickhouse-exception.ts';

export interface Credentials {
  user: string;
  password: string;
}

export function checkCredentials(
  users: readonly Credentials[],
  given: { user: string | undefined; password: string | undefined },
): void {
  const name = given.user ?? 'default';
  const known = users.find(({ user }) => user === name);
  if (known !== undefined && equalTexts(given.password ?? '', known.password)) return;
  throw ClickHouseException.reject(
    'AUTHENTICATION_FAILED',
    `${name}: Authentication failed: password is incorrect, or there is no user with such name`,
  );
}

function equalTexts(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

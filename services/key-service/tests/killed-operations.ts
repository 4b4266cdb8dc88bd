import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { makeCellar, makeKey, newName } from './made.ts';
import { inviteTo, join, newEmail, PASSWORD } from './people.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

export interface Operation {
  name: string;
  method: string;
  path: string;
  body?: object;
  /** How many rows show that it was done: 0 or 1. */
  done: [sql: string, value: string];
  /** How many audit entries say so. */
  entries: [sql: string, value: string];
}

/** Prepares one change of each kind. */
export async function prepareOperations(service: ServiceUnderTest): Promise<Operation[]> {
  const { name: cellar } = await makeCellar(service);
  const [revoked, rotated, changed] = [
    await makeKey(service, cellar),
    await makeKey(service, cellar),
    await makeKey(service, cellar),
  ];
  const keys = `/api/v1/cellars/${cellar}/keys`;
  const keyName = `key ${randomBytes(6).toString('hex')}`;
  const tokenName = `token ${randomBytes(6).toString('hex')}`;
  const [newCellar, archived] = [newName(), (await makeCellar(service)).name];
  const [invited, joining] = [newEmail(), newEmail()];
  const member = await join(service, { role: 'member' });
  const token = await inviteTo(service, { email: joining, role: 'member' });
  const entry = (action: string, column: string) =>
    `SELECT count(*)::int AS count FROM audit WHERE action = '${action}' AND ${column} = $1`;
  const rows = (table: string, condition: string) =>
    `SELECT count(*)::int AS count FROM ${table} WHERE ${condition}`;
  const post = { method: 'POST' };
  return [
    {
      ...{ name: 'create a cellar', ...post, path: '/api/v1/cellars', body: { name: newCellar } },
      done: [rows('cellars', 'name = $1'), newCellar],
      entries: [entry('cellar.created', 'cellar'), newCellar],
    },
    {
      ...{ name: 'archive a cellar', ...post, path: `/api/v1/cellars/${archived}/archive` },
      done: [rows('cellars', 'name = $1 AND archived_at IS NOT NULL'), archived],
      entries: [entry('cellar.archived', 'cellar'), archived],
    },
    {
      ...{ name: 'create a key', ...post, path: keys, body: { name: keyName } },
      done: [rows('api_keys', 'name = $1'), keyName],
      entries: [entry('key.created', `details->>'name'`), keyName],
    },
    {
      ...{ name: 'revoke a key', ...post, path: `${keys}/${revoked.id}/revoke` },
      done: [rows('api_keys', 'id = $1 AND revoked_at IS NOT NULL'), revoked.id],
      entries: [entry('key.revoked', 'key_id'), revoked.id],
    },
    {
      ...{ name: 'rotate a key', ...post, path: `${keys}/${rotated.id}/rotate`, body: { overlapSeconds: 9 } },
      done: [rows('api_keys', 'rotated_from = $1'), rotated.id],
      entries: [entry('key.rotated', 'key_id'), rotated.id],
    },
    {
      ...{ name: 'change a key', method: 'PATCH', path: `${keys}/${changed.id}`, body: { name: 'another' } },
      done: [rows('api_keys', `id = $1 AND name = 'another'`), changed.id],
      entries: [entry('key.changed', 'key_id'), changed.id],
    },
    {
      name: 'invite somebody',
      ...{ ...post, path: '/api/v1/invitations', body: { email: invited, role: 'member' } },
      done: [rows('invitations', 'email = $1'), invited],
      entries: [entry('invitation.created', `details->>'email'`), invited],
    },
    {
      ...{ name: 'join', ...post, path: '/api/v1/join', body: { token, password: PASSWORD } },
      done: [rows('administrators', 'email = $1'), joining],
      entries: [entry('user.joined', `details->>'email'`), joining],
    },
    {
      name: 'disable somebody',
      ...{ method: 'PATCH', path: `/api/v1/users/${member.id}`, body: { isDisabled: true } },
      done: [rows('administrators', 'email = $1 AND disabled_at IS NOT NULL'), member.email],
      entries: [entry('user.changed', `details->>'email'`), member.email],
    },
    {
      name: 'create a service token',
      ...{ ...post, path: '/api/v1/tokens', body: { name: tokenName, role: 'owner' } },
      done: [rows('service_tokens', 'name = $1'), tokenName],
      entries: [entry('token.created', `details->>'name'`), tokenName],
    },
  ];
}

/** What has become of an operation: done with one entry, or neither. */
export async function outcomeOf(service: ServiceUnderTest, { done, entries }: Operation) {
  const count = async ([sql, value]: [string, string]) => {
    const { rows } = await service.pool.query<{ count: number }>(sql, [value]);
    return rows[0]?.count;
  };
  return { done: await count(done), entries: await count(entries) };
}

/** Requests all of them concurrently. @returns the status of each, undefined without a response */
export function askForAll(url: string, cookie: string, operations: readonly Operation[]) {
  return operations.map(async ({ name, method, path, body }) => {
    // Joining would sign out the user of a cookie.
    const headers: Record<string, string> = name === 'join' ? {} : { cookie };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const answer = await fetch(url + path, {
      ...{ method, headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => undefined);
    if (answer !== undefined) expect(answer.status, name).toBeLessThan(300);
    return answer?.status;
  });
}

import type { Client } from 'pg';
import { LARGE_CELLAR, SECOND_USER } from './fill.ts';
import { operations } from './operations.ts';
import type { Operation } from './operations.ts';

/** What a request to key-service needs. */
export interface Caller {
  url: string;
  cookie: string;
  internalToken: string;
}

const USES = 1_000;
const LOOKUPS = 500;

/**
 * Sends every GET request of the OpenAPI document about the large cellar, and all {@link operations}.
 *
 * @returns the requests that failed, with their statuses
 */
export async function callAll(client: Client, caller: Caller): Promise<string[]> {
  const { rows } = await client.query<{ id: string; hash: string }>(
    `SELECT id, encode(hash, 'hex') AS hash FROM api_keys
     WHERE cellar = $1 AND revoked_at IS NULL AND expires_at IS NULL ORDER BY id LIMIT $2`,
    [LARGE_CELLAR, USES],
  );
  const user = await client.query<{ id: string }>(
    `INSERT INTO administrators (email, password_hash, role) VALUES ($1, '-', 'member') RETURNING id`,
    [SECOND_USER],
  );
  const ids = rows.map(({ id }) => id);
  const retention = await send(caller, { method: 'GET', path: '/internal/v1/retention' });
  const { epoch } = (await retention.json()) as { epoch: string };
  const known = {
    ...{ ids, epoch, userId: user.rows[0]?.id ?? '' },
    hashes: rows.slice(0, LOOKUPS).map(({ hash }) => hash),
  };
  const failed: string[] = [];
  for (const operation of [...(await documentedReads(caller, ids[0] ?? '')), ...operations(known)]) {
    const response = await send(caller, operation);
    const text = await response.text();
    if (!response.ok) {
      failed.push(
        `${operation.method} ${operation.path.slice(0, 80)} ${response.status} ${text.slice(0, 120)}`,
      );
    }
  }
  return failed;
}

/** Every GET of one response. Those with the id of something else than a key are left out. */
async function documentedReads(caller: Caller, id: string): Promise<Operation[]> {
  const response = await send(caller, { method: 'GET', path: '/api/v1/openapi.json' });
  const { paths } = (await response.json()) as { paths: Record<string, object> };
  return Object.entries(paths)
    .filter(
      ([path, methods]) => 'get' in methods && !/query|\/(?:alerts?-|dead-letters|probe).*\{id\}/.test(path),
    )
    .map(([path]) => ({
      method: 'GET',
      path: path.replace('{cellar}', LARGE_CELLAR).replace('{id}', id),
    }));
}

export function send(
  { url, cookie, internalToken }: Caller,
  { method, path, body }: Operation,
): Promise<Response> {
  const isInternal = path.startsWith('/internal/');
  return fetch(url + path, {
    method,
    headers: {
      ...(isInternal ? { authorization: `Bearer ${internalToken}` } : { cookie }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    signal: AbortSignal.timeout(30_000),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import type { Answer } from './ingest.ts';

export interface CreatedKey {
  id: string;
  secret: string;
}

export interface Cellar {
  name: string;
  createKey(settings?: Record<string, unknown>): Promise<CreatedKey>;
}

/** A person who is signed in to the management API. */
export interface Owner {
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Makes a cellar with a name that nobody else has. */
  openCellar(settings?: Record<string, unknown>): Promise<Cellar>;
}

/** One request to the management API. */
export async function askManagement(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(inject('product').keyServiceUrl + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text === '' ? {} : JSON.parse(text)) as Answer['body'],
  };
}

export async function signIn(): Promise<Owner> {
  const signedIn = await askManagement('POST', '/api/v1/session', inject('product').admin);
  if (signedIn.status !== 201) throw new Error(`cannot sign in: ${JSON.stringify(signedIn.body)}`);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');

  const ask: Owner['ask'] = (method, path, body, headers = {}) =>
    askManagement(method, path, body, { cookie, ...headers });

  async function create(path: string, body: unknown): Promise<Answer['body']> {
    const created = await ask('POST', path, body);
    if (created.status !== 201) throw new Error(`${path}: ${JSON.stringify(created.body)}`);
    return created.body;
  }

  return {
    ask,
    async openCellar(settings = {}) {
      const name = `spec-${randomBytes(6).toString('hex')}`;
      await create('/api/v1/cellars', { name, ...settings });
      return {
        name,
        createKey: async (keySettings = {}) => {
          const { key, secret } = await create(`/api/v1/cellars/${name}/keys`, {
            name: 'spec',
            ...keySettings,
          });
          return { id: (key as { id: string }).id, secret: secret as string };
        },
      };
    },
  };
}

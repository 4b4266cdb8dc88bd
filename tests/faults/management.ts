import type { RunFile } from '@cellarman/local-stack';

/** What a round needs of key-service's management API. */
export interface Management {
  createCellar(name: string): Promise<void>;
  createKey(cellar: string): Promise<{ id: string; secret: string }>;
  revokeKey(cellar: string, id: string): Promise<void>;
  /** Open ones of the cellar, among the newest 200. */
  countDeadLetters(cellar: string): Promise<number>;
}

/** High enough that no round reaches a rate limit. */
const RATE_LIMIT = { perSecond: 1_000_000, burst: 10_000_000 };

/** Signs in as the user of the local stack. */
export async function signIn({ keyServiceUrl, admin }: RunFile): Promise<Management> {
  const session = await request('POST', '/api/v1/session', admin);
  const [cookie = ''] = session.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');

  async function request(method: string, path: string, body?: unknown, cookie = ''): Promise<Response> {
    const answer = await fetch(`${keyServiceUrl}${path}`, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }

  return {
    async createCellar(name) {
      await request('POST', '/api/v1/cellars', { name, rateLimit: RATE_LIMIT }, cookie);
    },
    async createKey(cellar) {
      const key = { name: 'fault round', scopes: ['ingest'] };
      const answer = await request('POST', `/api/v1/cellars/${cellar}/keys`, key, cookie);
      const { secret, key: view } = (await answer.json()) as { secret: string; key: { id: string } };
      return { id: view.id, secret };
    },
    async revokeKey(cellar, id) {
      await request('POST', `/api/v1/cellars/${cellar}/keys/${id}/revoke`, undefined, cookie);
    },
    async countDeadLetters(cellar) {
      const answer = await request('GET', '/api/v1/dead-letters?limit=200', undefined, cookie);
      const list = (await answer.json()) as { deadLetters: { source: { cellar: string } | null }[] };
      return list.deadLetters.filter(({ source }) => source?.cellar === cellar).length;
    },
  };
}

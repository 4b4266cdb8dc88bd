import type { RunFile } from '@cellarman/local-stack';

export interface Key {
  cellar: string;
  id: string;
  secret: string;
}

/** A signed-in user who manages cellars and keys, and a device that tries them. */
export interface Operator {
  createCellar(name: string): Promise<void>;
  archive(cellar: string): Promise<void>;
  /** @param cellar @default the demo cellar */
  createKey(name: string, cellar?: string): Promise<Key>;
  revoke(key: Key): Promise<void>;
  /** Without an overlap, so that the old secret is invalid immediately. */
  rotate(key: Key): Promise<void>;
  /** Of an owner. */
  createServiceToken(name: string): Promise<string>;
  auditCsv(): Promise<string>;
  /** The status of one's own session. */
  session(): Promise<number>;
}

export async function signIn(run: RunFile): Promise<Operator> {
  let cookie = '';
  const ask = async (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${run.keyServiceUrl}${path}`, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const expectOk = async (answer: Response): Promise<Response> => {
    if (answer.ok) return answer;
    throw new Error(`${answer.url} answered ${answer.status} ${await answer.text()}`);
  };
  const signedIn = await expectOk(await ask('POST', '/api/v1/session', run.admin));
  cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const pathOf = ({ cellar, id }: Key): string => `/api/v1/cellars/${cellar}/keys/${id}`;

  return {
    async createCellar(name) {
      await expectOk(await ask('POST', '/api/v1/cellars', { name }));
    },
    async archive(cellar) {
      await expectOk(await ask('POST', `/api/v1/cellars/${cellar}/archive`));
    },
    async createKey(name, cellar = run.demo.cellar) {
      const settings = { name, scopes: ['ingest', 'read'] };
      const answer = await expectOk(await ask('POST', `/api/v1/cellars/${cellar}/keys`, settings));
      const { key, secret } = (await answer.json()) as { key: { id: string }; secret: string };
      return { cellar, id: key.id, secret };
    },
    async revoke(key) {
      await expectOk(await ask('POST', `${pathOf(key)}/revoke`));
    },
    async rotate(key) {
      await expectOk(await ask('POST', `${pathOf(key)}/rotate`, { overlapSeconds: 0 }));
    },
    async createServiceToken(name) {
      const answer = await expectOk(await ask('POST', '/api/v1/tokens', { name, role: 'owner' }));
      return ((await answer.json()) as { secret: string }).secret;
    },
    async auditCsv() {
      return (await expectOk(await ask('GET', '/api/v1/audit.csv'))).text();
    },
    async session() {
      return (await ask('GET', '/api/v1/session')).status;
    },
  };
}

/** Returns the status of ingest for a key. The reading is empty: with a valid key the status is `400`. */
export async function statusOf({ ingestUrl }: RunFile, { secret }: Pick<Key, 'secret'>): Promise<number> {
  const answer = await fetch(`${ingestUrl}/api/v1/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': secret },
    body: '{}',
  });
  await answer.arrayBuffer();
  return answer.status;
}

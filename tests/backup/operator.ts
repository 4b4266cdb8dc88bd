import type { RunFile } from '@cellarman/local-stack';

export interface Key {
  id: string;
  secret: string;
}

/** Somebody who is signed in and manages the keys of the demo cellar, and a device that tries them. */
export interface Operator {
  createKey(name: string): Promise<Key>;
  revoke(id: string): Promise<void>;
  /** The ids of the keys that were revoked, as `audit.csv` has them. */
  revokedIn(auditCsv: string): string[];
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
  const keys = `/api/v1/cellars/${run.demo.cellar}/keys`;

  return {
    async createKey(name) {
      const answer = await expectOk(await ask('POST', keys, { name, scopes: ['ingest', 'read'] }));
      const { key, secret } = (await answer.json()) as { key: { id: string }; secret: string };
      return { id: key.id, secret };
    },
    async revoke(id) {
      await expectOk(await ask('POST', `${keys}/${id}/revoke`));
    },
    revokedIn: (auditCsv) =>
      [...auditCsv.matchAll(/"key\.revoked","[^"]*","([0-9a-f-]{36})"/g)].map(([, id = '']) => id),
    async auditCsv() {
      return (await expectOk(await ask('GET', '/api/v1/audit.csv'))).text();
    },
    async session() {
      return (await ask('GET', '/api/v1/session')).status;
    },
  };
}

/** Whether ingest takes a key: it is asked with an empty reading, which a good key gets `400` for. */
export async function statusOf({ ingestUrl }: RunFile, { secret }: Pick<Key, 'secret'>): Promise<number> {
  const answer = await fetch(`${ingestUrl}/api/v1/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': secret },
    body: '{}',
  });
  await answer.arrayBuffer();
  return answer.status;
}

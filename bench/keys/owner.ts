export interface CreatedKey {
  id: string;
  secret: string;
}

/** A person who is signed in to key-service. */
export interface Owner {
  /** Of the session. */
  cookie: string;
  createCellar(name: string, settings?: object): Promise<void>;
  createKey(cellar: string, settings?: object): Promise<CreatedKey>;
  revoke(cellar: string, keyId: string): Promise<void>;
}

export async function signIn(options: {
  /** Called before each request: key-service may restart on another port. */
  keyServiceUrl: () => string;
  admin: { email: string; password: string };
}): Promise<Owner> {
  const { keyServiceUrl, admin } = options;

  async function post(path: string, body: object, cookie = ''): Promise<Response> {
    const headers = { 'content-type': 'application/json', cookie };
    const answer = await fetch(keyServiceUrl() + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    if (answer.ok) return answer;
    throw new Error(`key-service returned for ${path} ${answer.status} ${await answer.text()}`);
  }

  const signedIn = await post('/api/v1/session', admin);
  await signedIn.body?.cancel();
  const [cookie = ''] = signedIn.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');

  return {
    cookie,
    async createCellar(name, settings = {}) {
      await (await post('/api/v1/cellars', { name, ...settings }, cookie)).body?.cancel();
    },
    async createKey(cellar, settings = {}) {
      const path = `/api/v1/cellars/${cellar}/keys`;
      const answer = await post(path, { name: 'bench', scopes: ['ingest'], ...settings }, cookie);
      const { key, secret } = (await answer.json()) as { key: { id: string }; secret: string };
      return { id: key.id, secret };
    },
    async revoke(cellar, keyId) {
      await (await post(`/api/v1/cellars/${cellar}/keys/${keyId}/revoke`, {}, cookie)).body?.cancel();
    },
  };
}

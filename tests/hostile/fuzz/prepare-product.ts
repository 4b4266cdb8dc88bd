import type { RunFile } from '@cellarman/local-stack';
import type { Existing } from './fuzz-api.ts';
import { preparePeople } from './prepare-people.ts';

/** High enough that no request exceeds the limit of a key. */
const RATE_LIMIT = { perSecond: 1_000_000, burst: 10_000_000 };
const CELLAR = 'fuzz';
/** Of the key that sends readings. The other one gets other limits all the time. */
const SENDING = 'fuzz-readings';
const ARCHIVABLE = 'fuzz-archived';
/** Rotating one ends it; many last longer. */
const KEYS = 50;
/** Each is deleted by one request that succeeds. */
const RULES = 4;
/** Nothing listens there. */
const WEBHOOK = 'http://127.0.0.1:9/';

/** Signs in, and makes the cellars and keys that valid requests name. */
export async function prepareProduct(product: RunFile) {
  const { keyServiceUrl, admin } = product;
  const signedIn = await post('/api/v1/session', admin);
  const [cookie = ''] = signedIn.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');

  await post('/api/v1/cellars', { name: CELLAR });
  await post('/api/v1/cellars', { name: ARCHIVABLE });
  await post('/api/v1/cellars', { name: SENDING, rateLimit: RATE_LIMIT });
  const { secret: apiKey } = await createKey(SENDING);
  const { secret: reading } = await createKey(SENDING, ['read']);
  const keys: string[] = [];
  for (let made = 0; made < KEYS; made++) keys.push((await createKey(CELLAR)).id);
  const revocable = [(await createKey(CELLAR)).id];
  const claimCodes: string[] = [];
  for (let made = 0; made < RULES; made++) claimCodes.push((await createClaimCode()).claimCode.id);
  const { secret: claimCode } = await createClaimCode();
  const { user } = (await signedIn.json()) as { user: { id: string } };
  const alerts = `/api/v1/cellars/${CELLAR}/alert`;
  const alertRules: string[] = [];
  const alertDestinations: string[] = [];
  for (let made = 0; made < RULES; made++) {
    const condition = { kind: 'key_expires', withinDays: 7 };
    const rule = await post(`${alerts}-rules`, { name: `fuzz ${made}`, condition, destinations: [] });
    alertRules.push(((await rule.json()) as { id: string }).id);
    const webhook = { kind: 'webhook', name: `fuzz ${made}`, url: WEBHOOK };
    const { destination } = (await (await post(`${alerts}-destinations`, webhook)).json()) as {
      destination: { id: string };
    };
    alertDestinations.push(destination.id);
  }
  const existing: Existing = {
    ...{
      cookie,
      accountId: user.id,
      admin,
      keys,
      revocable,
      claimCodes,
      claimCode,
      alertRules,
      alertDestinations,
    },
    ...{ cellar: CELLAR, archivable: ARCHIVABLE, sending: SENDING, reading },
    people: await preparePeople(keyServiceUrl, cookie),
  };
  return { apiKey, existing };

  async function createKey(cellar: string, scopes = ['ingest']): Promise<{ id: string; secret: string }> {
    const answer = await post(`/api/v1/cellars/${cellar}/keys`, { name: 'fuzz', scopes });
    const { key, secret } = (await answer.json()) as { key: { id: string }; secret: string };
    return { id: key.id, secret };
  }

  async function createClaimCode(): Promise<{ claimCode: { id: string }; secret: string }> {
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const body = { name: 'fuzz', maxKeys: 10_000, expiresAt };
    const answer = await post(`/api/v1/cellars/${CELLAR}/claim-codes`, body);
    return answer.json() as Promise<{ claimCode: { id: string }; secret: string }>;
  }

  async function post(path: string, body: object): Promise<Response> {
    const headers = { 'content-type': 'application/json', ...(path.endsWith('session') ? {} : { cookie }) };
    const answer = await fetch(keyServiceUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }
}

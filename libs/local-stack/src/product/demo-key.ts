import { join } from 'node:path';
import { pollUntil } from '../supervise/poll.ts';
import { readPrivateJson, writePrivateJson } from './private-json.ts';
import { StartError } from '../start-error.ts';

export interface DemoKey {
  cellar: string;
  apiKey: string;
}

export interface DemoKeyOptions {
  dataDir: string;
  ingestUrl: string;
  keyServiceUrl: string;
  admin: { email: string; password: string };
}

const CELLAR = 'demo';

/** The demo here is to try what the machine can do, not to meet the limit. */
const RATE_LIMIT = { perSecond: 1_000_000, burst: 10_000_000 };

/** An API key for trying things out: the one of the last start while it works, otherwise a new one. */
export async function demoKey(options: DemoKeyOptions): Promise<DemoKey> {
  const file = join(options.dataDir, 'demo-key.json');
  const kept = (await readPrivateJson(file)) as DemoKey | undefined;
  if (kept !== undefined && (await works(kept, options.ingestUrl))) return kept;

  const created = { cellar: CELLAR, apiKey: await createKey(options) };
  await writePrivateJson(file, created);
  return created;
}

/** Asks ingest with an empty reading: it looks at the key first. */
async function works({ apiKey }: DemoKey, ingestUrl: string): Promise<boolean> {
  let status = 503;
  await pollUntil(
    async () => {
      const answer = await fetch(`${ingestUrl}/api/v1/ingest`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        body: '{}',
      });
      status = answer.status;
      await answer.arrayBuffer();
      return status !== 503;
    },
    { deadlineMs: 10_000 },
  );
  return status === 400;
}

async function createKey({ keyServiceUrl, admin }: DemoKeyOptions): Promise<string> {
  const signedIn = await post('/api/v1/session', admin, {});
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  // 409: it is there from an earlier start.
  await post('/api/v1/cellars', { name: CELLAR, rateLimit: RATE_LIMIT }, { cookie, accept409: true });
  const key = { name: 'local stack', scopes: ['ingest', 'read'] };
  const created = await post(`/api/v1/cellars/${CELLAR}/keys`, key, { cookie });
  return ((await created.json()) as { secret: string }).secret;

  async function post(
    path: string,
    body: unknown,
    { cookie, accept409 = false }: { cookie?: string; accept409?: boolean },
  ): Promise<Response> {
    const answer = await fetch(`${keyServiceUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(cookie === undefined ? {} : { cookie }) },
      body: JSON.stringify(body),
    });
    if (answer.ok || (accept409 && answer.status === 409)) return answer;
    throw new StartError(`key-service answered ${answer.status} to POST ${path}: ${await answer.text()}`);
  }
}

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

/** The first that is not archived. */
const CELLARS = ['demo', 'demo-2', 'demo-3', 'demo-4', 'demo-5'];

/** The demo is there to try what the machine can do, not to meet the limit. */
const RATE_LIMIT = { perSecond: 1_000_000, burst: 10_000_000 };

/** An API key for trying things out: the one of the last start while it works, otherwise a new one. */
export async function demoKey(options: DemoKeyOptions): Promise<DemoKey> {
  const file = join(options.dataDir, 'demo-key.json');
  const kept = (await readPrivateJson(file)) as DemoKey | undefined;
  if (kept !== undefined && (await works(kept, options.ingestUrl))) return kept;

  const created = await createKey(options);
  await writePrivateJson(file, created);
  return created;
}

/** Sends ingest an empty reading, which it rejects with 400 once it has accepted the key. */
async function works({ apiKey }: DemoKey, ingestUrl: string): Promise<boolean> {
  let status = 503;
  const isAnswered = async (): Promise<boolean> => {
    const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
    const answer = await fetch(`${ingestUrl}/api/v1/ingest`, { method: 'POST', headers, body: '{}' });
    await answer.arrayBuffer();
    status = answer.status;
    return status !== 503;
  };
  await pollUntil(isAnswered, { deadlineMs: 10_000 });
  return status === 400;
}

async function createKey({ keyServiceUrl, admin }: DemoKeyOptions): Promise<DemoKey> {
  const signedIn = await post('/api/v1/session', admin);
  if (!signedIn.ok) throw await rejected(signedIn);
  const [cookie = ''] = signedIn.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');

  let answer = signedIn;
  for (const cellar of CELLARS) {
    // It may be there from an earlier start, perhaps archived: whether a key can be made decides.
    await post('/api/v1/cellars', { name: cellar, rateLimit: RATE_LIMIT }, cookie);
    const key = { name: 'local stack', scopes: ['ingest', 'read'] };
    answer = await post(`/api/v1/cellars/${cellar}/keys`, key, cookie);
    if (answer.ok) return { cellar, apiKey: ((await answer.json()) as { secret: string }).secret };
  }
  throw await rejected(answer);

  function post(path: string, body: unknown, cookie = ''): Promise<Response> {
    const headers = { 'content-type': 'application/json', cookie };
    return fetch(`${keyServiceUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  }
}

async function rejected(answer: Response): Promise<StartError> {
  return new StartError(
    `Cannot create the demo key: ${answer.url} returned ${answer.status} ${await answer.text()}`,
  );
}

/**
 * Posts a reading to the product of docker-compose.yml and reads it back: `node tests/composed-product.ts FILE`. FILE
 * keeps the API key and what was sent, so that a later run finds the readings of the earlier ones as well. The variables
 * of .env.example say where the product is, and the password.
 */
import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

interface Known {
  cellar: string;
  apiKey: string;
  sent: number[];
}

const VISIBLE_WITHIN_MS = 30_000;
const RACK = 'cellar-door';
const { ADMIN_EMAIL = 'admin@cellarman.local', ADMIN_PASSWORD } = process.env;
const keyService = `http://127.0.0.1:${process.env['DASHBOARD_PORT'] ?? '4100'}`;
const ingest = `http://127.0.0.1:${process.env['INGEST_PORT'] ?? '4000'}`;
const query = `http://127.0.0.1:${process.env['QUERY_PORT'] ?? '4300'}`;

const [file] = process.argv.slice(2);
assert.ok(file, 'Usage: composed-product.ts FILE');
const page = await fetch(`${keyService}/`);
assert.match(await page.text(), /<html/, 'the dashboard is served');

const known = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Known) : await makeKey();
const value = known.sent.length;
await ask(`${ingest}/api/v1/ingest`, {
  headers: { 'x-api-key': known.apiKey },
  body: {
    cellar: known.cellar,
    rack: RACK,
    keg: 'temperature',
    value,
    timestamp: new Date().toISOString(),
  },
});
known.sent.push(value);
await writeFile(file, JSON.stringify(known), { mode: 0o600 });

const deadline = Date.now() + VISIBLE_WITHIN_MS;
let stored = await storedValues(known);
while (JSON.stringify(stored) !== JSON.stringify(known.sent) && Date.now() < deadline) {
  await setTimeout(250);
  stored = await storedValues(known);
}
assert.deepEqual(stored, known.sent, 'what is stored is what was sent');

async function storedValues({ cellar, apiKey }: Known): Promise<number[]> {
  // Others, such as the canary, may post to the cellar as well.
  const search = new URLSearchParams({
    rack: RACK,
    from: new Date(Date.now() - 3_600_000).toISOString(),
    to: new Date(Date.now() + 60_000).toISOString(),
    order: 'asc',
  });
  const { readings } = await ask<{ readings: { value: number }[] }>(
    `${query}/api/v1/query/cellars/${cellar}/readings?${search.toString()}`,
    { headers: { 'x-api-key': apiKey } },
  );
  return readings.map((reading) => reading.value);
}

async function makeKey(): Promise<Known> {
  const credentials = { email: ADMIN_EMAIL, password: ADMIN_PASSWORD };
  const signedIn = await fetch(`${keyService}/api/v1/session`, post(credentials, {}));
  assert.ok(signedIn.ok, `signing in was answered with ${signedIn.status}`);
  const [cookie = ''] = signedIn.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  const headers = { cookie };
  await ask(`${keyService}/api/v1/cellars`, { body: { name: 'demo' }, headers });
  const key = { name: 'first key', scopes: ['ingest', 'read'] };
  const made = await ask<{ secret: string }>(`${keyService}/api/v1/cellars/demo/keys`, {
    body: key,
    headers,
  });
  return { cellar: 'demo', apiKey: made.secret, sent: [] };
}

async function ask<Answer>(
  url: string,
  { headers, body }: { headers: Record<string, string>; body?: unknown },
): Promise<Answer> {
  const answer = await fetch(url, body === undefined ? { headers } : post(body, headers));
  const text = await answer.text();
  assert.ok(answer.ok, `${url} answered ${answer.status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

function post(body: unknown, headers: Record<string, string>): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

import { generateClaimCode } from '@cellarman/api-key';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCellar } from './made.ts';
import { startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

const DOCUMENT = join(import.meta.dirname, '../../../docs/openapi/key-service.json');
/** Any response may have these. */
const EVERYWHERE = [
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'],
  ...['cache-control', 'content-security-policy', 'referrer-policy', 'x-content-type-options'],
];

interface Response {
  $ref?: string;
  headers?: object;
}
interface OpenApi {
  components: { responses: Record<string, Response> };
  paths: Record<string, { post: { responses: Record<string, Response> } }>;
}

const deviceSecret = randomBytes(32).toString('base64url');
const claim = { claimCode: generateClaimCode(), rack: 'a', deviceSecret };
const keys = [{ name: 'a', idempotencyKey: 'a' }];
const [CLAIMS, BATCHES] = ['/api/v1/claims', '/api/v1/cellars/{cellar}/key-batches'];

let service: ServiceUnderTest;
let cellar: string;
beforeAll(async () => {
  service = await startServiceUnderTest();
  cellar = (await makeCellar(service)).name;
  const code = { name: 'a', maxKeys: 1, expiresAt: new Date(Date.now() + 60_000).toISOString() };
  const path = `/api/v1/cellars/${cellar}/claim-codes`;
  claim.claimCode = (await service.admin.call<{ secret: string }>('POST', path, code)).body.secret;
});
afterAll(() => service.stop());

test.each([
  [CLAIMS, 201, claim, {}],
  [CLAIMS, 200, claim, {}],
  [CLAIMS, 400, {}, {}],
  [CLAIMS, 401, claim, { claimCode: generateClaimCode() }],
  [CLAIMS, 403, claim, { rack: 'b' }],
  [CLAIMS, 409, claim, { deviceSecret: 'x'.repeat(32) }],
  [CLAIMS, 429, claim, {}],
  [BATCHES, 200, { keys }, {}],
  [BATCHES, 400, { keys: [...keys, ...keys] }, {}],
  [BATCHES, 401, { keys }, {}],
])('%s, %i: every response header is in OpenAPI', async (path, status, valid, changes) => {
  const body = { ...valid, ...changes };
  const caller = path === CLAIMS || status === 401 ? service.anonymous : service.admin;
  // Beyond the burst of an IP address.
  const times = status === 429 ? 300 : 1;
  const answers = await Promise.all(
    Array.from({ length: times }, () => caller.call('POST', path.replace('{cellar}', cellar), body)),
  );
  const headers = answers.find((answer) => answer.status === status)?.headers;
  expect(headers, answers.map((answer) => answer.status).join()).toBeDefined();
  const openApi = JSON.parse(await readFile(DOCUMENT, 'utf8')) as OpenApi;
  const response = openApi.paths[path]?.post.responses[status];
  const shared = openApi.components.responses[response?.$ref?.split('/').at(-1) ?? ''];
  const documented = Object.keys((shared ?? response)?.headers ?? {}).map((name) => name.toLowerCase());
  const found = [...(headers?.keys() ?? [])].filter((name) => !EVERYWHERE.includes(name));
  expect(documented).toEqual(expect.arrayContaining(found));
  if (status === 429) expect(found).toContain('retry-after');
});

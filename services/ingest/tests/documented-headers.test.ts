import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BATCH_PATH, INGEST_PATH, METRICS_PATH, WRITE_PATH, WRITE_V1_PATH } from '@cellarman/contracts';
import { PublishError } from '@cellarman/kafka';
import { afterEach, expect, test } from 'vitest';
import { reading, startTestApp } from './ingest-app.ts';
import type { TestApp } from './ingest-app.ts';

const DOCUMENT = join(import.meta.dirname, '../../../docs/openapi/ingest.json');
/** Every HTTP response has them, or may. */
const EVERYWHERE = [
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'],
  'x-content-type-options',
];

interface Response {
  $ref?: string;
  headers?: object;
}
interface OpenApi {
  servers?: { url: string }[];
  components: { responses: Record<string, Response> };
  paths: Record<string, { post: { responses: Record<string, Response> } }>;
}
const openApi = JSON.parse(await readFile(DOCUMENT, 'utf8')) as OpenApi;

let app: TestApp;
afterEach(() => app.close());

const late = new PublishError('deadline', 'for the log only', { maybeStored: true });
const away = {
  publish: () => Promise.reject(late),
  publishGroup: () => Promise.resolve({ acknowledged: 1, failures: new Map([[0, late]]) }),
};

async function answered(path: string, headers: Record<string, string>, body: unknown) {
  const answer = await fetch(app.url + path, {
    method: 'POST',
    headers: {
      'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
      'x-api-key': app.keyService.addKey(),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  await answer.text();
  const names = [...answer.headers.keys()].filter((name) => !EVERYWHERE.includes(name));
  const response = openApi.paths[path.split('?')[0] ?? '']?.post.responses[answer.status];
  const shared = openApi.components.responses[response?.$ref?.split('/').at(-1) ?? ''];
  const documented = (shared ?? response)?.headers ?? {};
  return { status: answer.status, names, documented: Object.keys(documented).map((n) => n.toLowerCase()) };
}

const batch = [reading(), 7];
const lines = `boiler,host=a t=1,p=2 ${Date.now()}000000`;
const point = { timeUnixNano: `${Date.now()}000000`, asInt: '1', attributes: [] };
const metrics = {
  resourceMetrics: [
    {
      resource: { attributes: [{ key: 'rack', value: { stringValue: 'a' } }] },
      scopeMetrics: [{ metrics: [{ name: 'boiler', gauge: { dataPoints: [point, point] } }] }],
    },
  ],
};
const lenient = { prefer: 'handling=lenient' };
const limited = { limiter: { take: (): number => 1_000 } };
const bare = { 'x-api-key': '' };

type Row = [
  path: string,
  status: number,
  Record<string, string>,
  body: unknown,
  Parameters<typeof startTestApp>[0],
];

test.each<Row>([
  [INGEST_PATH, 401, bare, reading(), {}],
  [INGEST_PATH, 429, {}, reading(), limited],
  [INGEST_PATH, 503, {}, reading(), { lanes: away }],
  [BATCH_PATH, 200, lenient, batch, {}],
  [BATCH_PATH, 207, {}, batch, {}],
  [BATCH_PATH, 207, { prefer: 'return=representation' }, [reading(), reading()], { lanes: away }],
  [BATCH_PATH, 400, {}, [7], {}],
  [BATCH_PATH, 401, bare, batch, {}],
  [BATCH_PATH, 415, { 'content-encoding': 'x' }, batch, {}],
  [BATCH_PATH, 429, {}, batch, limited],
  [BATCH_PATH, 503, {}, [reading(), reading()], { lanes: away }],
  [METRICS_PATH, 200, {}, metrics, {}],
  [METRICS_PATH, 401, bare, metrics, {}],
  [METRICS_PATH, 415, { 'content-encoding': 'x' }, metrics, {}],
  [METRICS_PATH, 429, {}, metrics, limited],
  [METRICS_PATH, 503, {}, metrics, { lanes: away }],
  ...[`${WRITE_PATH}?bucket=demo`, `${WRITE_V1_PATH}?db=demo`].flatMap((path): Row[] => [
    [path, 204, {}, lines, {}],
    [path, 204, lenient, lines, {}],
    [path, 400, {}, `${lines}\nboiler`, {}],
    [path, 401, bare, lines, {}],
    [path, 415, { 'content-encoding': 'x' }, lines, {}],
    [path, 429, {}, lines, limited],
    [path, 503, {}, lines, { lanes: away }],
  ]),
])('%s, %i: every response header is in OpenAPI', async (path, status, headers, body, options) => {
  app = await startTestApp(options);
  const { names, documented, ...answer } = await answered(path, headers, body);
  expect(answer.status).toBe(status);
  expect(names).not.toEqual([]);
  expect(documented).toEqual(expect.arrayContaining(names));
});

test('OpenAPI names a server', async () => {
  app = await startTestApp();
  expect(openApi.servers).toHaveLength(1);
});

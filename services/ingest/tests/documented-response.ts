import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BATCH_PATH, INGEST_PATH, METRICS_PATH, WRITE_PATHS } from '@cellarman/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

const DOCUMENT = join(import.meta.dirname, '..', '..', '..', 'docs', 'openapi', 'ingest.json');

interface Response {
  $ref?: string;
  content?: Record<string, { schema: object }>;
}
interface OpenApi {
  components: { responses: Record<string, Response> };
  paths: Record<string, { post: { responses: Record<string, Response> } }>;
}

export interface RawResponse {
  status: number;
  contentType: string | undefined;
  body: string;
}

const { paths, components } = JSON.parse(await readFile(DOCUMENT, 'utf8')) as OpenApi;
const ajv = new Ajv2020({ strict: false });
const checks = new Map(
  [INGEST_PATH, BATCH_PATH, METRICS_PATH, ...WRITE_PATHS].map((path) => [
    path,
    new Map(Object.entries(paths[path]?.post.responses ?? {}).map(compile)),
  ]),
);

function compile([status, response]: [string, Response]) {
  const shared = components.responses[response.$ref?.split('/').at(-1) ?? ''];
  const schema = (shared ?? response).content?.['application/json']?.schema ?? { not: {} };
  return [Number(status), ajv.compile({ ...schema, components })] as const;
}

/** Compares a response with OpenAPI: its status, its content type, its body with its error code. */
export function expectDocumented(path: string, { status, contentType, body }: RawResponse): void {
  const check = checks.get(path)?.get(status);
  if (check === undefined) throw new Error(`${status} of ${path} is not documented`);
  if (status === 204) {
    expect(body).toBe('');
    return;
  }
  expect(contentType).toBe('application/json; charset=utf-8');
  if (!check(JSON.parse(body))) throw new Error(`${status} ${body}: ${ajv.errorsText(check.errors)}`);
}

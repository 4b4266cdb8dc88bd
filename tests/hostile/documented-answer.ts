import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

const DOCUMENT = join(import.meta.dirname, '..', '..', 'docs', 'openapi', 'ingest.json');

interface OpenApi {
  components: object;
  paths: Record<
    string,
    { post: { responses: Record<string, { content: Record<string, { schema: object }> }> } }
  >;
}

export interface RawAnswer {
  status: number;
  contentType: string | undefined;
  body: string;
}

/** Holds answers against what OpenAPI says of an address: the status, the content type, the body. */
export async function documentedAnswers(path: string): Promise<(answer: RawAnswer) => void> {
  const { paths, components } = JSON.parse(await readFile(DOCUMENT, 'utf8')) as OpenApi;
  const ajv = new Ajv2020({ strict: false });
  const checks = new Map(
    Object.entries(paths[path]?.post.responses ?? {}).map(([status, { content }]) => [
      Number(status),
      ajv.compile({ ...(content['application/json']?.schema ?? { not: {} }), components }),
    ]),
  );
  return ({ status, contentType, body }) => {
    expect(status).toBeLessThan(500);
    expect(contentType).toBe('application/json; charset=utf-8');
    const check = checks.get(status);
    if (check === undefined) throw new Error(`${status} is not documented`);
    if (!check(JSON.parse(body))) throw new Error(`${status} ${body}: ${ajv.errorsText(check.errors)}`);
  };
}

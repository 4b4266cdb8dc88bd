/** Writes the types of the client from the OpenAPI documents. The type check runs it; nothing else needs these files. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

const GENERATED = new URL('../src/api/generated/', import.meta.url);

interface Document {
  paths: Record<string, Record<string, { responses?: Record<string, unknown> }>>;
  components: Record<string, Record<string, unknown>>;
}

await mkdir(GENERATED, { recursive: true });
for (const service of ['key-service', 'query']) {
  const document = new URL(`../../../docs/openapi/${service}.json`, import.meta.url);
  const whole = JSON.parse(await readFile(document, 'utf8')) as Document;
  const types = astToString(await openapiTS(JSON.stringify(onlyOurs(whole))));
  await writeFile(new URL(`${service}.ts`, GENERATED), types);
}

/** Requests and successful responses of pages. Errors have the same shape everywhere, see response-data.ts. */
function onlyOurs({ paths, components }: Document): object {
  const ours = Object.entries(paths).filter(([path]) => path.startsWith('/api/v1/'));
  for (const operation of ours.flatMap(([, methods]) => Object.values(methods))) {
    const { responses = {} } = operation;
    operation.responses = Object.fromEntries(
      Object.entries(responses).filter(([status]) => status.startsWith('2')),
    );
  }
  const { schemas, parameters } = components;
  return { openapi: '3.1.0', info: {}, paths: Object.fromEntries(ours), components: { schemas, parameters } };
}

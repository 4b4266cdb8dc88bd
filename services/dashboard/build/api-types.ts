import { readFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

/** The generated files, and the documents that they are made of. */
export const API_TYPES = [
  {
    file: new URL('../src/api/generated/key-service.ts', import.meta.url),
    document: new URL('../../../docs/openapi/key-service.json', import.meta.url),
  },
  {
    file: new URL('../src/api/generated/query.ts', import.meta.url),
    document: new URL('../../../docs/openapi/query.json', import.meta.url),
  },
];

const HEADING = '/* Made of docs/openapi by: npx -y pnpm@12 generate */\n\n';

type Responses = Record<string, unknown>;

interface Document {
  paths: Record<string, Record<string, { responses?: Responses }>>;
}

export async function apiTypes(document: URL): Promise<string> {
  const whole = JSON.parse(await readFile(document, 'utf8')) as Document;
  return HEADING + astToString(await openapiTS(JSON.stringify(onlyOurs(whole))));
}

/** What a page asks, and how it succeeds. An error has the same shape everywhere, see answer-of.ts. */
function onlyOurs({ paths, ...rest }: Document): Document {
  const asked = Object.entries(paths).filter(([path]) => path.startsWith('/api/v1/'));
  for (const operation of asked.flatMap(([, methods]) => Object.values(methods))) {
    const { responses = {} } = operation;
    operation.responses = Object.fromEntries(
      Object.entries(responses).filter(([status]) => status.startsWith('2')),
    );
  }
  return { ...rest, paths: Object.fromEntries(asked) };
}

import { readFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import { formatText } from '../../../tests/format-text.ts';

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

const HEADING = '/* eslint-disable */\n/* Generated from docs/openapi by: npx -y pnpm@12 generate */\n\n';

interface Document {
  paths: Record<string, Record<string, { responses?: Record<string, unknown> }>>;
  components: Record<string, Record<string, unknown>>;
}

export async function apiTypes(document: URL): Promise<string> {
  const whole = JSON.parse(await readFile(document, 'utf8')) as Document;
  const types = astToString(await openapiTS(JSON.stringify(onlyOurs(whole), withoutProse)));
  const compact = types.replaceAll(/^ *\w+\?: never;$/gm, '').replaceAll(/\s*\n\s*/g, ' ');
  return HEADING + (await formatText('types.ts', compact));
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

/** Descriptions are read in docs/openapi. A property may be called so too, and is an object then. */
function withoutProse(key: string, value: unknown): unknown {
  const isProse = ['summary', 'description'].includes(key) && typeof value === 'string';
  return isProse || ['example', 'examples', 'format'].includes(key) ? undefined : value;
}

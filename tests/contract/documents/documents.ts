import { format, resolveConfig } from 'prettier';
import { asyncApi } from './asyncapi.ts';
import { configurationPage } from './configuration.ts';
import { errorsPage } from './errors.ts';
import { readingJsonSchema, topicJsonSchema } from './json-schemas.ts';
import { ingestOpenApi, keyServiceOpenApi, queryOpenApi } from './openapi.ts';

/** Folders of `docs/` that hold nothing but generated files. */
export const GENERATED_FOLDERS = ['openapi', 'asyncapi', 'json-schema'];

/** Every generated document: its path below `docs/`, and its text. */
export async function documents(): Promise<Map<string, string>> {
  return new Map([
    ['json-schema/reading.v1.json', json(readingJsonSchema())],
    ['json-schema/cellarman.readings.v1.json', json(topicJsonSchema())],
    ['asyncapi/cellarman.readings.v1.json', json(asyncApi())],
    ['openapi/ingest.json', json(await ingestOpenApi())],
    ['openapi/key-service.json', json(await keyServiceOpenApi())],
    ['openapi/query.json', json(await queryOpenApi())],
    ['errors.md', await markdown(errorsPage())],
    ['configuration.md', await markdown(configurationPage())],
  ]);
}

function json(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** As the format check wants it. */
async function markdown(text: string): Promise<string> {
  return format(text, { ...(await resolveConfig('page.md')), parser: 'markdown' });
}

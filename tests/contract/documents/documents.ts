import { scalingPage } from '@cellarman/sizing';
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
    ['json-schema/reading.v1.json', await json(readingJsonSchema())],
    ['json-schema/cellarman.readings.v1.json', await json(topicJsonSchema())],
    ['asyncapi/cellarman.readings.v1.json', await json(asyncApi())],
    ['openapi/ingest.json', await json(await ingestOpenApi())],
    ['openapi/key-service.json', await json(await keyServiceOpenApi())],
    ['openapi/query.json', await json(await queryOpenApi())],
    ['errors.md', await formatted(errorsPage(), 'markdown')],
    ['configuration.md', await formatted(configurationPage(), 'markdown')],
    ['scaling.md', await formatted(scalingPage(), 'markdown')],
  ]);
}

/** What fits on a line takes one, so that a diff is short and readable. */
async function json(document: object): Promise<string> {
  return formatted(JSON.stringify(document), 'json');
}

async function formatted(text: string, parser: 'json' | 'markdown'): Promise<string> {
  return format(text, { ...(await resolveConfig(parser === 'json' ? 'page.json' : 'page.md')), parser });
}

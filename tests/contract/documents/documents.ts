import { scalingPage } from '@cellarman/sizing';
import { formatText } from '../../format-text.ts';
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
    ['errors.md', await formatText('errors.md', errorsPage())],
    ['configuration.md', await formatText('configuration.md', configurationPage())],
    ['scaling.md', await formatText('scaling.md', scalingPage())],
  ]);
}

/** What fits on a line takes one, so that a diff is short and readable. */
async function json(document: object): Promise<string> {
  return formatText('document.json', JSON.stringify(document));
}

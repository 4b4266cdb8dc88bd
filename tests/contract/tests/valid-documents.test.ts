import asyncApiSpecs from '@asyncapi/specs';
import { validate } from '@readme/openapi-parser';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { documents } from '../documents/documents.ts';

const generated = await documents();
const parsed = (path: string) => JSON.parse(generated.get(path) ?? '') as never;
const below = (folder: string) => [...generated.keys()].filter((path) => path.startsWith(`${folder}/`));

describe('OpenAPI', () => {
  it.each(below('openapi'))('%s is valid', async (path) => {
    expect(await validate(parsed(path))).toEqual({ valid: true, warnings: [], specification: 'OpenAPI' });
  });

  it('is not just anything to the validator', async () => {
    const broken: object = {
      ...(parsed('openapi/ingest.json') as object),
      paths: { '/x/{id}': { get: {} } },
    };
    expect(await validate(broken as never)).toMatchObject({ valid: false });
  });
});

interface AsyncApi {
  components: {
    schemas: Record<string, { $id?: string; title?: string }>;
    messages: Record<
      string,
      { headers: { $ref?: string }; payload: { $ref?: string }; examples?: Example[] }
    >;
  };
}
interface Example {
  headers: Record<string, string>;
  payload: Record<string, unknown>;
}

describe('AsyncAPI', () => {
  // The schema of AsyncAPI brings draft 7 along, and formats of its own.
  const isAsyncApi = new Ajv({
    strict: false,
    validateFormats: false,
    meta: false,
    validateSchema: false,
  }).compile(asyncApiSpecs.schemas['3.0.0'] as object);
  const [path = ''] = below('asyncapi');

  it('is valid AsyncAPI 3', () => {
    isAsyncApi(parsed(path));
    expect(isAsyncApi.errors).toBeNull();
  });

  it('is not just anything to the validator', () => {
    expect(isAsyncApi({ ...(parsed(path) as object), operations: { receive: { action: 'ask' } } })).toBe(
      false,
    );
  });

  it('gives an example that is a message', () => {
    const { schemas, messages } = (parsed(path) as AsyncApi).components;
    const examples = messages['reading']?.examples ?? [];
    const ajv = new Ajv2020({ strict: false });
    expect(examples).not.toEqual([]);
    for (const example of examples) {
      expect(ajv.compile(schemas['ReadingHeaders'] ?? {})(example.headers)).toBe(true);
      expect(ajv.compile(schemas['Reading'] ?? {})(example.payload)).toBe(true);
    }
  });

  it('names each payload and its headers, after which generators of code name their types', () => {
    const { schemas, messages } = (parsed(path) as AsyncApi).components;
    const used = Object.values(messages).flatMap(({ headers, payload }) => [headers.$ref, payload.$ref]);
    expect(used.sort()).toEqual(
      Object.keys(schemas)
        .map((name) => `#/components/schemas/${name}`)
        .sort(),
    );
    for (const [name, { $id, title }] of Object.entries(schemas)) expect([$id, title]).toEqual([name, name]);
  });
});

describe('JSON Schema', () => {
  const message = {
    ...{ cellar: 'demo', rack: 'boiler-house-2', keg: 'temperature', value: 21.5 },
    ...{ timestamp: '2026-11-21T06:30:00Z', received_at: '2026-11-21T06:30:00.123Z', key_id: 'k_1' },
  };
  const ajv = new Ajv2020({ strict: true, strictRequired: false });
  const isMessage = ajv.compile(parsed('json-schema/cellarman.readings.v1.json'));
  const isReading = ajv.compile(parsed('json-schema/reading.v1.json'));

  it('of the topic takes a message, and one with a field of a later release', () => {
    expect(isMessage(message)).toBe(true);
    expect(isMessage({ ...message, unit: '°C' })).toBe(true);
  });

  it.each(Object.keys(message))('of the topic insists on %s', (field) => {
    expect(isMessage(Object.fromEntries(Object.entries(message).filter(([name]) => name !== field)))).toBe(
      false,
    );
    expect(isMessage({ ...message, [field]: null })).toBe(false);
  });

  it('of a reading takes the five fields and no other', () => {
    const { received_at, key_id, ...reading } = message;
    expect(isReading(reading)).toBe(true);
    expect(isReading({ ...reading, received_at })).toBe(false);
    expect(isReading({ ...reading, key_id })).toBe(false);
  });
});

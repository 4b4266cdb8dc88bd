import swagger from '@fastify/swagger';
import { createLogger } from '@cellarman/telemetry';
import { Type } from '@sinclair/typebox';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ApiError,
  createErrorHandler,
  declareEdgeErrors,
  declareErrors,
  describeRoutes,
  pageQuery,
} from '@cellarman/http-api';
import { undeclaredErrors } from '../../../tests/undeclared-errors.ts';

const log: string[] = [];
const logger = createLogger(
  { service: 'test', version: '0', level: 'info' },
  { write: (line) => void log.push(line) },
);
const app = Fastify();
const keg = Type.Object({ name: Type.String() }, { title: 'Keg' });
beforeAll(async () => {
  app.setErrorHandler(createErrorHandler({ logger }));
  declareEdgeErrors(app);
  await app.register(swagger, { openapi: { openapi: '3.1.0' }, ...describeRoutes() });
  await app.register(async (kegs) => {
    declareErrors(kegs, () => ['unavailable']);
    const querystring = Type.Object(pageQuery());
    kegs.get('/kegs', { schema: { querystring, response: { 200: Type.Array(keg) } } }, async () => {
      throw new ApiError('conflict', 'not declared');
    });
    const config = { errors: ['conflict', 'not_found'] } as const;
    kegs.post('/kegs', { config, schema: { querystring, response: { 201: keg } } }, async () => {
      throw new ApiError('conflict', 'declared');
    });
  });
  await app.ready();
});
afterAll(() => app.close());

describe('OpenAPI', () => {
  test('lists the errors of a route, of its hooks and of every route, each as a component', () => {
    const { paths, components } = app.swagger() as object as {
      paths: Record<string, Record<string, { responses: Record<string, { $ref?: string }> }>>;
      components: Record<string, Record<string, unknown>>;
    };
    const refsOf = (method: string) =>
      Object.entries(paths['/kegs']?.[method]?.responses ?? {}).map(([status, { $ref }]) =>
        `${status} ${$ref?.split('/').at(-1) ?? ''}`.trim(),
      );
    const everywhere = ['408 RequestTimeout', '431 HeadersTooLarge', '500 InternalError', '503 Unavailable'];
    expect(refsOf('get')).toEqual(['200', '400 InvalidRequest', ...everywhere]);
    expect(refsOf('post')).toEqual([
      ...['201', '400 InvalidJsonOrInvalidRequest', '404 NotFound', everywhere[0], '409 Conflict'],
      ...['413 PayloadTooLarge', '415 UnsupportedMediaType', ...everywhere.slice(1)],
    ]);
    expect(components['responses']?.['NotFound']).toMatchObject({
      content: { 'application/json': { schema: { allOf: [{ $ref: '#/components/schemas/Error' }, {}] } } },
    });
    expect(components['responses']?.['Unavailable']).toMatchObject({
      headers: { 'Retry-After': { schema: { type: 'integer' } } },
    });
    expect(Object.keys(components['schemas'] ?? {})).toEqual(['Error', 'Keg']);
    expect(Object.keys(components['parameters'] ?? {})).toEqual(['Limit', 'Cursor']);
  });

  test('two schemas with one title are a mistake', async () => {
    const other = Fastify();
    await other.register(swagger, { openapi: { openapi: '3.1.0' }, ...describeRoutes() });
    const twin = Type.Object({ weight: Type.Number() }, { title: 'Keg' });
    other.get('/a', { schema: { response: { 200: keg } } }, async () => ({}));
    other.get('/b', { schema: { response: { 200: twin } } }, async () => ({}));
    await other.ready();
    expect(() => other.swagger()).toThrow('two different schemas are called Keg');
    await other.close();
  });
});

describe('an error that its route does not declare', () => {
  test('is sent, logged and published; a declared one is only sent', async () => {
    expect((await app.inject({ method: 'POST', url: '/kegs' })).statusCode).toBe(409);
    expect([undeclaredErrors, log]).toEqual([[], []]);
    expect((await app.inject('/kegs')).statusCode).toBe(409);
    expect(undeclaredErrors.splice(0)).toEqual([{ method: 'GET', url: '/kegs', code: 'conflict' }]);
    expect(log.join()).toContain('undeclared error code returned');
  });
});

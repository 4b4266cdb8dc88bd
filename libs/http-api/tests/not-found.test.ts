import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createErrorHandler, rejectUnknownRoutes } from '../src/index.ts';

test('addresses that nobody has are not found, others say which methods they take', async () => {
  const app = Fastify();
  app.setErrorHandler(createErrorHandler({ logger: {} as never }));
  rejectUnknownRoutes(app);
  app.get('/a/:name', async () => 'got');
  app.post('/a/:name', async () => 'posted');
  app.get('/b.json', async () => 'got');
  app.get('/all/*', async () => 'got');
  const ask = async (method: 'GET' | 'PUT', url: string) => {
    const { statusCode, headers } = await app.inject({ method, url });
    return [statusCode, headers.allow];
  };
  expect(await ask('GET', '/a/b')).toEqual([200, undefined]);
  expect(await ask('PUT', '/a/b?x')).toEqual([405, 'GET, HEAD, POST']);
  expect(await ask('PUT', '/all/b/c')).toEqual([405, 'GET, HEAD']);
  for (const url of ['/a/b/c', '/a', '/bxjson', '/al'])
    expect(await ask('PUT', url), url).toEqual([404, undefined]);
  await app.close();
});

import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createErrorHandler, rejectUnknownRoutes } from '../src/index.ts';

test('paths that do not exist are not found, others say which methods they take', async () => {
  const app = Fastify();
  app.setErrorHandler(createErrorHandler({ logger: {} as never }));
  rejectUnknownRoutes(app);
  app.get('/a/:name', async () => 'got');
  app.post('/a/:name', async () => 'posted');
  app.get('/b.json', async () => 'got');
  app.get('/all/*', async () => 'got');
  app.get('/c/:id(^\\d{1,9}$)', async () => 'got');
  app.post('/c/all', async () => 'posted');
  const ask = async (method: 'GET' | 'PUT', url: string) => {
    const { statusCode, headers } = await app.inject({ method, url });
    return [statusCode, headers.allow];
  };
  expect(await ask('GET', '/a/b')).toEqual([200, undefined]);
  expect(await ask('PUT', '/a/b?x')).toEqual([405, 'GET, HEAD, POST']);
  expect(await ask('PUT', '/all/b/c')).toEqual([405, 'GET, HEAD']);
  expect(await ask('GET', '/c/12')).toEqual([200, undefined]);
  expect(await ask('PUT', '/c/12')).toEqual([405, 'GET, HEAD']);
  expect(await ask('GET', '/c/all')).toEqual([405, 'POST']);
  for (const url of ['/a/b/c', '/c/twelve', '/a', '/bxjson', '/al'])
    expect(await ask('PUT', url), url).toEqual([404, undefined]);
  await app.close();
});

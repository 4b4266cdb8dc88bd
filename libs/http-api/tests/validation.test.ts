import { Type } from '@sinclair/typebox';
import fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { validateStrictly } from '../src/validation.ts';

const app = fastify();
validateStrictly(app);
const querystring = Type.Object({ limit: Type.Integer({ minimum: -5, maximum: 50, default: 7 }) });
app.get('/', { schema: { querystring } }, (request) => request.query);

const ask = (query: string) => app.inject({ url: `/${query}` });

describe('a whole number in a URL', () => {
  test.each([
    ['', 7],
    ['?limit=0', 0],
    ['?limit=50', 50],
    ['?limit=-5', -5],
  ])('%s is %i', async (query, limit) => {
    expect((await ask(query)).json()).toEqual({ limit });
  });

  test.each(['', '0.0', '5.0', '1e1', '0x10', '%205', '+5', '007', 'five', 'true', 'null'])(
    'is not %j',
    async (text) => {
      const answer = await ask(`?limit=${text}`);
      expect([answer.statusCode, answer.body]).toEqual([
        400,
        expect.stringContaining('limit must be integer'),
      ]);
    },
  );

  test('is within its bounds', async () => {
    expect((await ask('?limit=51')).body).toContain('must be <= 50');
  });

  test('is given once', async () => {
    expect((await ask('?limit=1&limit=2')).statusCode).toBe(400);
  });
});

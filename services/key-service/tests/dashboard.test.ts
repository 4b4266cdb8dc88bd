import { createErrorHandler, rejectUnknownRoutes } from '@cellarman/http-api';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dashboardAssets } from '../src/dashboard/dashboard-assets.ts';
import { createDashboardPage } from '../src/dashboard/dashboard-page.ts';

const SCRIPT = 'console.log("a dashboard")';

let directory: string;
let app: FastifyInstance;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cellarman-dashboard-'));
  app = Fastify();
  app.setErrorHandler(createErrorHandler({ logger: undefined as never }));
  rejectUnknownRoutes(app, createDashboardPage(directory));
  await app.register(dashboardAssets, { directory });
  app.get('/api/v1/cellars', async () => ({}));
});
afterAll(async () => {
  await app.close();
  await rm(directory, { recursive: true, force: true });
});

async function build(): Promise<void> {
  const assets = join(directory, 'assets');
  await mkdir(assets, { recursive: true });
  await writeFile(join(assets, 'main-x1.js'), SCRIPT);
  await writeFile(join(assets, 'main-x1.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(
    join(directory, 'index.html'),
    '<script nonce="CSP_NONCE" src="/assets/main-x1.js"></script>',
  );
}

describe('the dashboard', () => {
  test('that is not built explains how to build it, and is served once it is', async () => {
    const before = await app.inject('/cellars/demo/keys');
    expect(before.statusCode).toBe(404);
    expect(before.json()).toMatchObject({
      code: 'not_found',
      error: expect.stringContaining('build') as string,
    });

    await build();
    expect((await app.inject('/cellars/demo/keys')).statusCode).toBe(200);
  });

  test.each(['/', '/sign-in?next=%2F', '/cellars/demo/keys', '/apiary', '/no/such/page'])(
    'shows its page at %s, not to be kept, under a strict policy',
    async (url) => {
      await build();
      const { statusCode, headers, body } = await app.inject(url);
      expect(statusCode).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['referrer-policy']).toBe('no-referrer');
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      const [, nonce = 'none'] = /'nonce-([^']+)'/.exec(policy) ?? [];
      expect(body).toContain(`nonce="${nonce}"`);
    },
  );

  test('has a nonce of its own in each response', async () => {
    await build();
    const bodies = await Promise.all([app.inject('/'), app.inject('/')]);
    expect(new Set(bodies.map(({ body }) => body)).size).toBe(2);
  });

  test('gives its assets for good, compressed for who takes that', async () => {
    await build();
    const plain = await app.inject('/assets/main-x1.js');
    expect(plain.body).toBe(SCRIPT);
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const compressed = await app.inject({ url: '/assets/main-x1.js', headers: { 'accept-encoding': 'br' } });
    expect(compressed.headers['content-encoding']).toBe('br');
    expect(compressed.headers['content-type']).toMatch(/javascript/);
    expect(compressed.headers['vary']).toMatch(/accept-encoding/i);
  });

  test.each([
    ['GET', '/api/v1/nothing', 404],
    ['GET', '/internal/v1/nothing', 404],
    ['GET', '/assets/none.js', 404],
    ['GET', '/assets/..%2Findex.html', 404],
    ['POST', '/cellars/demo/keys', 404],
    ['PUT', '/api/v1/cellars', 405],
  ] as const)('is not the response to %s %s', async (method, url, status) => {
    await build();
    const answer = await app.inject({ method, url });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ status: 'error' });
  });
});

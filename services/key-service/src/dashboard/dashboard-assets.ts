import { join } from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/**
 * The scripts, styles and pictures of the dashboard. Their names change with their content, so that a browser never
 * asks twice; compressed copies lie beside them.
 */
export async function dashboardAssets(
  app: FastifyInstance,
  { directory }: { directory: string },
): Promise<void> {
  await app.register(files, {
    root: join(directory, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    index: false,
    decorateReply: false,
  });
}

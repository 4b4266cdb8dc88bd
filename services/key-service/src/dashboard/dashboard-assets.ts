import { join } from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/**
 * Serves the scripts, styles and pictures of the dashboard. Their names contain a hash of their content, so that browsers cache
 * them forever. Compressed files are stored beside them.
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

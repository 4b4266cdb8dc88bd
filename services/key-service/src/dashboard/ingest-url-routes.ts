import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';

export interface IngestUrlRoutesOptions {
  /** Where devices send their readings, as they see it. Undefined: the dashboard guesses its own origin. */
  ingestUrl: string | undefined;
}

/** What the dashboard writes into its examples. */
export const ingestUrlRoutes: FastifyPluginAsyncTypebox<IngestUrlRoutesOptions> = async (
  app,
  { ingestUrl },
) => {
  app.get(
    '/api/v1/ingest-url',
    {
      config: { access: 'everybody' },
      schema: {
        tags: ['operations'],
        summary: 'Get the URL that devices send readings to.',
        response: {
          200: Type.Object({
            ingestUrl: Type.Union([Type.String(), Type.Null()], {
              description: 'The URL without `/api/v1/ingest`. null: it is not configured.',
              examples: ['https://ingest.example.com'],
            }),
          }),
        },
      },
    },
    async () => ({ ingestUrl: ingestUrl ?? null }),
  );
};

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';

export interface AddressRoutesOptions {
  /** Where devices send their readings, as they see it. Undefined: the dashboard guesses its own origin. */
  ingestUrl: string | undefined;
}

/** What the dashboard writes into its examples. */
export const addressRoutes: FastifyPluginAsyncTypebox<AddressRoutesOptions> = async (app, { ingestUrl }) => {
  app.get(
    '/api/v1/addresses',
    {
      config: { access: 'everybody' },
      schema: {
        tags: ['operations'],
        summary: 'Where devices send their readings.',
        response: {
          200: Type.Object({
            ingestUrl: Type.Union([Type.String(), Type.Null()], {
              description: 'What stands before `/api/v1/ingest`. null: it has not been configured.',
              examples: ['https://ingest.example.com'],
            }),
          }),
        },
      },
    },
    async () => ({ ingestUrl: ingestUrl ?? null }),
  );
};

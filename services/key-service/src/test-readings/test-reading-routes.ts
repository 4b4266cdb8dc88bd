import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ingestStoredSchema } from '@cellarman/contracts';
import { cellarSchema, readingSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import type { SendToIngest } from './send-to-ingest.ts';

const { rack, keg, value } = readingSchema.properties;

export interface TestReadingRoutesOptions {
  sendToIngest: SendToIngest;
}

/** Test readings: real readings that a signed-in user sends with an API key. The key is neither stored nor logged. */
export const testReadingRoutes: FastifyPluginAsyncTypebox<TestReadingRoutesOptions> = async (
  app,
  { sendToIngest },
) => {
  app.post(
    '/api/v1/cellars/:cellar/test-readings',
    {
      config: { access: 'cellar change', errors: ['unavailable'] },
      schema: {
        tags: ['operations'],
        summary: 'Send a test reading to ingest.',
        description:
          'The reading is stored like any other, with the current time as its timestamp. The response has what ingest responded, also when it rejected the reading. The API key is used for this request only, and is neither stored nor logged.',
        params: Type.Object({ cellar: cellarSchema }),
        body: Type.Object(
          {
            apiKey: Type.String({
              pattern: '^[!-~]{1,256}$',
              description: 'ingest checks it: it needs the scope `ingest` for this cellar and rack.',
            }),
            rack,
            keg,
            value,
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({
            reading: Type.Object({
              rack: Type.String(),
              keg: Type.String(),
              value: Type.Number(),
              timestamp: Type.String({ format: 'date-time' }),
            }),
            status: Type.Integer({ description: 'The HTTP status of ingest. 200: stored in Kafka.' }),
            code: Type.Union([Type.String(), Type.Null()], { description: 'The error code of ingest.' }),
            error: Type.Union([Type.String(), Type.Null()]),
            retryAfterSeconds: Type.Union([Type.Integer(), Type.Null()]),
            receivedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
              description: 'When ingest received it. null: it was rejected.',
            }),
            stored: Type.Union([ingestStoredSchema, Type.Null()], {
              description: 'null: it was rejected, or ingest is of an earlier version.',
            }),
          }),
        },
      },
    },
    async (request) => {
      const { apiKey, ...series } = request.body;
      const reading = { ...series, timestamp: new Date().toISOString() };
      const { success, ...response } = await sendToIngest(
        { cellar: request.params.cellar, ...reading },
        apiKey,
      );
      return {
        reading,
        ...response,
        receivedAt: success?.timestamp ?? null,
        stored: success?.stored ?? null,
      };
    },
  );
};

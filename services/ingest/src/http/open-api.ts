import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { describeRoutes } from '@cellarman/http-api';
import { ERROR_HEADERS } from './documented-headers.ts';

export const openApi: FastifyDynamicSwaggerOptions = {
  ...describeRoutes({ headers: ERROR_HEADERS }),
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Cellarman ingest',
      version: '1',
      description: 'Takes telemetry readings over HTTP. Keys are made in the dashboard.',
    },
    servers: [
      {
        url: '{origin}',
        description: 'Where ingest is reached: the default is that of `pnpm start`.',
        variables: { origin: { default: 'http://127.0.0.1:4000' } },
      },
    ],
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`Token` and the API key.',
        },
      },
    },
  },
};

import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { describeRoutes } from '@cellarman/http-api';

/** What the routes cannot say about themselves. */
export const openApi: FastifyDynamicSwaggerOptions = {
  ...describeRoutes(),
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Cellarman query',
      version: '1',
      description:
        'Reads readings back. A reading is returned once, however often it was sent, and not after the retention of its cellar. ' +
        'For signed-in users, and for API keys with the scope `read`, which see their cellar and their racks.',
    },
    servers: [
      {
        url: '{origin}',
        description: 'The URL of query. The default is that of `pnpm start`.',
        variables: { origin: { default: 'http://127.0.0.1:4300' } },
      },
    ],
    tags: [
      { name: 'cellars', description: 'Whether data arrives.' },
      { name: 'racks', description: 'Devices, when they were last seen, and their latest values.' },
      { name: 'readings', description: 'The readings themselves.' },
      { name: 'internal', description: 'For key-service, which evaluates alert rules.' },
      { name: 'operations', description: 'Probes and metrics.' },
    ],
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        session: { type: 'apiKey', in: 'cookie', name: '__Host-cellarman-session' },
        alertsToken: { type: 'http', scheme: 'bearer' },
      },
    },
  },
};

/** For routes that take either. */
export const security = [{ apiKey: [] }, { session: [] }];

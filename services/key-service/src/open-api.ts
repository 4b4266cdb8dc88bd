import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { describeRoutes } from '@cellarman/http-api';
import type { RouteAccess } from './access/enforce-access.ts';

/** What the routes cannot say about themselves. */
export const openApi: FastifyDynamicSwaggerOptions = {
  ...describeRoutes({ securityOf: ({ access }) => securityOf(access) }),
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Cellarman key-service',
      version: '1',
      description:
        'Manages cellars, API keys, users and alert rules, with an audit log, and serves the other services.',
    },
    servers: [
      {
        url: '{origin}',
        description: 'The URL of key-service. The default is that of `pnpm start`.',
        variables: { origin: { default: 'http://127.0.0.1:4100' } },
      },
    ],
    tags: [
      { name: 'set-up', description: 'The first start.' },
      { name: 'session', description: 'Signing in and out.' },
      { name: 'users', description: 'Users, their access to cellars, and invitations.' },
      { name: 'tokens', description: 'Service tokens, for scripts.' },
      { name: 'cellars', description: 'Use cases or projects, each with its own keys and retention.' },
      { name: 'kegs', description: 'Units, decimals and good ranges of kegs.' },
      { name: 'keys', description: 'API keys of a cellar.' },
      { name: 'claims', description: 'Claim codes, which devices exchange for API keys.' },
      { name: 'audit', description: 'The audit log.' },
      { name: 'rejections', description: 'Readings of a cellar that ingest rejected.' },
      { name: 'pipeline', description: 'Whether readings arrive in the store, and how fast.' },
      { name: 'alerts', description: 'Alert rules, their states, and where notifications are sent.' },
      { name: 'dead letters', description: 'Messages in the topic that are not valid readings.' },
      { name: 'internal', description: 'For the other services, each with a token of its own.' },
      { name: 'operations', description: 'Probes and metrics.' },
    ],
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: '__Host-cellarman-session' },
        serviceToken: { type: 'http', scheme: 'bearer', bearerFormat: 'cmt_…' },
        internalToken: { type: 'http', scheme: 'bearer' },
      },
    },
  },
};

/** What a request shows, by who may use the route. Where nobody has to be known, the route says the rest itself. */
function securityOf(access: RouteAccess | undefined): { security?: Record<string, string[]>[] } {
  switch (access) {
    case 'everybody':
    case 'cellar':
    case 'cellar change':
    case 'owner':
      return { security: [{ session: [] }, { serviceToken: [] }] };
    case 'person':
    case 'owner in person':
      return { security: [{ session: [] }] };
    case undefined:
      return {};
  }
}

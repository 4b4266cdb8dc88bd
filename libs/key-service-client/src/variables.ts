import { secret, url } from '@cellarman/config';

/** @param service the caller: `ingest` */
export function keyServiceVariables(service: string) {
  return {
    KEY_SERVICE_URL: url({ schemes: ['http', 'https'], description: 'The base URL of key-service.' }),
    INTERNAL_TOKEN: secret({
      minLength: 16,
      description: `The token of ${service}, the same as ${service.toUpperCase()}_TOKEN of key-service.`,
    }),
  };
}

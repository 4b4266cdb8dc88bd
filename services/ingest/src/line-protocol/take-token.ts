import type { FastifyReply, FastifyRequest } from 'fastify';

/** `Token` is that of InfluxDB 2, `Bearer` that of 3, and `Basic` that of 1: its password is the key. */
const SCHEME = /^(token|bearer|basic) +(\S+)$/i;

/** Step 0: the API key where clients of InfluxDB put it. `authenticate` reads it from the header of the other routes. */
export function takeToken(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const { headers } = request.raw;
  const key = headers['x-api-key'] ?? inHeader(headers.authorization) ?? inQuery(request.query as Query);
  if (key !== undefined) headers['x-api-key'] = key;
  done();
}

export type Query = Readonly<Record<string, string | string[] | undefined>>;

function inHeader(authorization: string | undefined): string | undefined {
  const [, scheme, credentials = ''] = SCHEME.exec(authorization ?? '') ?? [];
  if (scheme?.toLowerCase() !== 'basic') return scheme === undefined ? undefined : credentials;
  const decoded = Buffer.from(credentials, 'base64').toString('latin1');
  return decoded.slice(decoded.indexOf(':') + 1);
}

/** Of version 1. */
function inQuery({ p }: Query): string | undefined {
  return typeof p === 'string' ? p : undefined;
}

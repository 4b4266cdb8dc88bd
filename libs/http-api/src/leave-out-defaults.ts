import type { FastifySchema } from 'fastify';

interface Part {
  properties?: Record<string, { default?: unknown }>;
  required?: string[];
}

/** What has a default may be left out, though the handler always finds it: the schemas of our routes say the latter. */
export function leaveOutDefaults(schema: FastifySchema): FastifySchema {
  const { body, querystring } = schema;
  return {
    ...schema,
    ...(body === undefined ? {} : { body: withoutDefaults(body) }),
    ...(querystring === undefined ? {} : { querystring: withoutDefaults(querystring) }),
  };
}

function withoutDefaults(part: unknown): unknown {
  const { properties = {}, required } = part as Part;
  if (required === undefined) return part;
  return { ...(part as Part), required: required.filter((name) => properties[name]?.default === undefined) };
}

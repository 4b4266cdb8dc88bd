import type { FastifySchema } from 'fastify';

interface Part {
  properties?: Record<string, { default?: unknown }>;
  required?: string[];
}

/**
 * Documents fields with a default as optional. The schemas of our routes require them, because a handler always finds them
 * set.
 */
export function withOptionalDefaults(schema: FastifySchema): FastifySchema {
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

import { STATUS_CODES } from 'node:http';
import { errorResponseSchema } from '@cellarman/contracts';
import type { ErrorCode } from '@cellarman/contracts';
import type { FastifyContextConfig, FastifySchema } from 'fastify';
import { errorResponsesOf } from './error-responses.ts';
import type { ErrorHeaders } from './error-responses.ts';
import { withOptionalDefaults } from './optional-defaults.ts';
import { shareParametersAndHeaders, shareSchemas } from './share-components.ts';
import { rewrite, simplifyUnion } from './simplify.ts';
import type { Json } from './simplify.ts';

interface Route {
  schema: FastifySchema;
  url: string;
  route: { config?: FastifyContextConfig };
}

export interface DescribeOptions {
  /** Response headers of errors. @default Retry-After for 429 and 503 */
  headers?: ErrorHeaders;
  /** What the configuration of a route says about credentials. */
  securityOf?: (config: FastifyContextConfig) => { security?: Record<string, string[]>[] };
}

interface Operation {
  'x-errors'?: readonly ErrorCode[];
  responses: Record<string, Json>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: Json;
}

/**
 * Options of @fastify/swagger that add to each route the errors that it declares, and turn what routes share into
 * components: errors by their codes, schemas by their `title`, parameters and headers by their name.
 */
export function describeRoutes({ headers, securityOf }: DescribeOptions = {}) {
  return {
    transform: ({ schema, url, route }: Route) => ({
      url,
      schema: {
        ...withOptionalDefaults(schema),
        ...securityOf?.(route.config ?? {}),
        'x-errors': route.config?.errors ?? [],
      },
    }),
    transformObject: (given: object): never => {
      const { openapiObject } = given as { openapiObject: Document };
      const responses: Json = {};
      for (const operation of Object.values(openapiObject.paths).flatMap((path) => Object.values(path))) {
        addResponses(operation, responses, headers);
      }
      const { paths, components, ...head } = openapiObject;
      const { Error, ...body } = rewrite(
        { paths, responses, Error: errorResponseSchema },
        simplifyUnion,
      ) as Json;
      const schemas: Json = {};
      shareSchemas(Error, schemas);
      const shared = shareSchemas(body, schemas) as { paths: Json; responses: Json };
      const references = shareParametersAndHeaders(shared);
      return {
        ...head,
        paths: shared.paths,
        components: {
          ...components,
          schemas: sorted(schemas),
          responses: sorted(shared.responses),
          ...references,
        },
      } as never;
    },
  };
}

function sorted(byName: Json): Json {
  return Object.fromEntries(Object.entries(byName).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Where the route describes a response of the same status, an error is an alternative to it. */
function addResponses(operation: Operation, components: Json, headers: ErrorHeaders | undefined): void {
  const { 'x-errors': errors = [], responses } = operation;
  delete operation['x-errors'];
  for (const [status, response] of Object.entries(responses)) {
    // What @fastify/swagger writes where a route describes none.
    if (response['description'] === 'Default Response') response['description'] = STATUS_CODES[status];
  }
  for (const [status, { name, schema, response }] of errorResponsesOf(errors, headers)) {
    const own = responses[status] as { content?: Record<string, { schema: Json }> } | undefined;
    const json = own?.content?.['application/json'];
    if (json === undefined) {
      components[name] = response;
      responses[status] = { $ref: `#/components/responses/${name}` };
    } else {
      json.schema = { anyOf: [schema, json.schema] };
    }
  }
}

import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'vitest';

export interface Answer<Body = unknown> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface ApiClient {
  /** The caller says what the body is; it is checked against OpenAPI. */
  call<Body = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<Body>>;
  signIn(email: string, password: string): Promise<Answer>;
  /** Continues with the session that a response has opened. */
  keepSession(answer: Answer): void;
}

interface DocumentedResponse {
  $ref?: string;
  content?: Record<string, { schema: Record<string, unknown> }>;
}

interface OpenApi {
  components: { responses: Record<string, DocumentedResponse> };
  paths: Record<string, Record<string, { responses: Record<string, DocumentedResponse> }>>;
}

const JSON_TYPE = 'application/json';

/** Calls the service as a browser or a script would, and compares every response with the service's own OpenAPI. */
export async function createApiClient(url: string): Promise<ApiClient> {
  const openApi = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as OpenApi;
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  const validators = new Map<object, ValidateFunction>();
  let cookie: string | undefined;

  function validatorOf(schema: object): ValidateFunction {
    const validate = validators.get(schema) ?? ajv.compile({ ...schema, components: openApi.components });
    validators.set(schema, validate);
    return validate;
  }

  function check(method: string, path: string, answer: Answer): void {
    const template = Object.keys(openApi.paths).find((candidate) =>
      new RegExp(`^${candidate.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(path.split('?', 1)[0] ?? ''),
    );
    const operation = openApi.paths[template ?? '']?.[method.toLowerCase()];
    if (operation === undefined) return;
    const documented = operation.responses[String(answer.status)];
    const shared = openApi.components.responses[documented?.$ref?.split('/').at(-1) ?? ''];
    const response = shared ?? documented;
    expect(response, `${method} ${path} answers ${answer.status} without saying so`).toBeDefined();
    const type = answer.headers.get('content-type')?.split(';', 1)[0];
    if (type === undefined) {
      expect(answer.body).toBeUndefined();
      expect(response?.content, `${method} ${path} has a body`).toBeUndefined();
      return;
    }
    const schema = response?.content?.[type]?.schema;
    expect(schema, `${method} ${path} answers ${type} without saying so`).toBeDefined();
    if (schema === undefined) return;
    const validate = validatorOf(schema);
    const isValid = validate(answer.body);
    expect(isValid, `${method} ${path} ${answer.status}: ${ajv.errorsText(validate.errors)}`).toBe(true);
  }

  function readBody(response: Response, text: string): unknown {
    if (text === '') return undefined;
    return response.headers.get('content-type')?.startsWith(JSON_TYPE) === true ? JSON.parse(text) : text;
  }

  const client: ApiClient = {
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as in the interface
    async call<Body>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': JSON_TYPE }),
          ...(cookie === undefined ? {} : { cookie }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const answer = {
        status: response.status,
        headers: response.headers,
        body: readBody(response, text) as Body,
      };
      check(method, path, answer);
      return answer;
    },

    async signIn(email, password) {
      const answer = await client.call('POST', '/api/v1/session', { email, password });
      client.keepSession(answer);
      return answer;
    },

    keepSession({ headers }) {
      const [setCookie] = headers.getSetCookie();
      if (setCookie !== undefined) cookie = setCookie.split(';', 1)[0];
    },
  };
  return client;
}

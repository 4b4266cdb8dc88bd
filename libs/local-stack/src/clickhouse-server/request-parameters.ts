import type { IncomingMessage } from 'node:http';
import { randomUUID } from 'node:crypto';

/** The parameters in the URL and the headers of a request; the body is not read yet. */
export interface RequestParameters {
  query: string;
  queryId: string;
  database: string | undefined;
  user: string | undefined;
  password: string | undefined;
  sessionId: string | undefined;
  defaultFormat: string;
  /** Engine settings, such as max_execution_time. */
  settings: Map<string, string>;
  /** Values for `{name:Type}`, escaped by the client as ClickHouse demands. */
  bindings: Map<string, string>;
  waitForEnd: boolean;
  compressResponse: boolean;
  /** ClickHouse's own block compression of the body or the response, which is not supported here. */
  blockCompression: boolean;
}

export function readParameters(request: IncomingMessage): RequestParameters {
  const [, search = ''] = (request.url ?? '').split('?', 2);
  const result: RequestParameters = {
    query: '',
    queryId: randomUUID(),
    database: header(request, 'x-clickhouse-database'),
    ...readCredentials(request),
    sessionId: undefined,
    defaultFormat: header(request, 'x-clickhouse-format') ?? 'TabSeparated',
    settings: new Map(),
    bindings: new Map(),
    waitForEnd: false,
    compressResponse: false,
    blockCompression: false,
  };
  // As on the server, a GET may read and change its own settings, and write nothing.
  if (request.method === 'GET') result.settings.set('readonly', '2');
  for (const [name, value] of new URLSearchParams(search)) {
    const apply = ownParameters[name];
    if (apply !== undefined) apply(result, value);
    else if (name.startsWith('param_')) result.bindings.set(name.slice('param_'.length), value);
    else result.settings.set(name, value);
  }
  return result;
}

/** Parameters of the HTTP layer. Every other name is a setting of the engine. */
const ownParameters: Record<string, (result: RequestParameters, value: string) => void> = {
  query: (result, value) => (result.query = value),
  query_id: (result, value) => (result.queryId = value || result.queryId),
  database: (result, value) => (result.database = value || result.database),
  default_format: (result, value) => (result.defaultFormat = value),
  user: (result, value) => (result.user = value),
  password: (result, value) => (result.password = value),
  session_id: (result, value) => (result.sessionId = value || undefined),
  wait_end_of_query: (result, value) => (result.waitForEnd = value === '1'),
  enable_http_compression: (result, value) => (result.compressResponse = value === '1'),
  compress: (result, value) => (result.blockCompression ||= value === '1'),
  decompress: (result, value) => (result.blockCompression ||= value === '1'),
  // These tune how the server sends. There are no users, roles and quotas here.
  buffer_size: ignore,
  http_response_buffer_size: ignore,
  send_progress_in_http_headers: ignore,
  http_headers_progress_interval_ms: ignore,
  http_write_exception_in_output_format: ignore,
  http_zlib_compression_level: ignore,
  session_timeout: ignore,
  stacktrace: ignore,
  quota_key: ignore,
  role: ignore,
};

function ignore(): void {}

function readCredentials(request: IncomingMessage): Pick<RequestParameters, 'user' | 'password'> {
  const [, basic] = /^Basic (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (basic === undefined) {
    return { user: header(request, 'x-clickhouse-user'), password: header(request, 'x-clickhouse-key') };
  }
  const [user, ...password] = Buffer.from(basic, 'base64').toString().split(':');
  return { user, password: password.join(':') };
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

import { parseArgs } from 'node:util';
import type { ServerOptions } from './server.ts';

/** Concurrent statements. More would only compete for the same few cores. */
const RUNNING_STATEMENTS = 12;

const MEBIBYTE = 1024 * 1024;

export function readOptions(argv: string[], env = process.env): ServerOptions {
  const { values } = parseArgs({
    args: argv,
    options: {
      'data-dir': { type: 'string' },
      port: { type: 'string', default: '8123' },
      host: { type: 'string', default: '127.0.0.1' },
    },
  });
  const { CLICKHOUSE_USER: user = 'default', CLICKHOUSE_PASSWORD: password = '' } = env;
  if (values['data-dir'] === undefined) throw new Error('--data-dir is missing');
  if (password === '') throw new Error('CLICKHOUSE_PASSWORD is missing');
  const queryPassword = env['CLICKHOUSE_QUERY_PASSWORD'];
  return {
    dataDirectory: values['data-dir'],
    host: values.host,
    port: Number(values.port),
    users: [
      { user, password },
      // As docker-compose.yml makes it. It is not kept from writing here: query sends readonly=2 itself.
      ...(queryPassword === undefined ? [] : [{ user: 'query', password: queryPassword }]),
    ],
    limits: {
      running: RUNNING_STATEMENTS,
      waiting: 256,
      maxStatementBytes: 64 * MEBIBYTE,
      maxDocumentBytes: 64 * MEBIBYTE,
      memoryBytes: 2048 * MEBIBYTE,
    },
  };
}

/** Each statement takes a thread of Node's pool while the engine works on it; some are for others. */
export function widenThreadPool(): void {
  process.env['UV_THREADPOOL_SIZE'] ??= String(RUNNING_STATEMENTS + 8);
}

import { tlsHint } from '@cellarman/tls';
import { isSpanContextValid, trace } from '@opentelemetry/api';
import { pino, stdSerializers, stdTimeFunctions } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { stdoutLines } from './stdout-lines.ts';

export type { Logger } from 'pino';

const SECRETS = [
  'x-api-key',
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'token',
  'apiKey',
  'secret',
  'INTERNAL_TOKEN',
  'ADMIN_PASSWORD',
  'CLICKHOUSE_PASSWORD',
];

/** Secrets are hidden at the top of the logged object and up to three levels down, as in `req.headers.cookie`. */
const REDACTED_PATHS = SECRETS.flatMap((name) =>
  ['', '*', '*.*', '*.*.*'].map((parents) => `${parents}["${name}"]`),
);

export interface LoggerOptions {
  service: string;
  version: string;
  level: string;
  /** Gets each line that is written, without its secrets. */
  copyTo?: ((line: string) => void) | undefined;
}

/**
 * One JSON object per line on stdout.
 *
 * @param destination for tests
 */
export function createLogger(options: LoggerOptions, destination?: DestinationStream): Logger {
  const { copyTo } = options;
  const base = { service: options.service, version: options.version };
  const settings = {
    level: options.level,
    base,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: REDACTED_PATHS, censor: '[hidden]' },
    mixin: traceIds,
    serializers: { err: describeError },
    ...(copyTo === undefined ? {} : { hooks: { streamWrite: copyLines(copyTo) } }),
  };
  return pino(settings, destination ?? stdoutLines(base));
}

function copyLines(copyTo: (line: string) => void) {
  return (line: string) => {
    copyTo(line);
    return line;
  };
}

/** As pino does, and what to do when it is about certificates. Those hang on an error of Node in a circle, and are left out. */
function describeError(error: Error): object {
  const hint = tlsHint(error);
  const described = stdSerializers.err(error);
  return hint === undefined ? described : { ...described, cert: undefined, hint };
}

/** Ties a log line to its trace. Costs one look-up in the async context, and only when a line is written. */
function traceIds(): object {
  const context = trace.getActiveSpan()?.spanContext();
  if (context === undefined || !isSpanContextValid(context)) return {};
  return { trace_id: context.traceId, span_id: context.spanId };
}

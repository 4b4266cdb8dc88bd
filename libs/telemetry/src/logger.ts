import { isSpanContextValid, trace } from '@opentelemetry/api';
import { pino, stdTimeFunctions } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { describeError, hideUrlCredentials } from './describe-error.ts';
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
  'claimCode',
  'deviceSecret',
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
    formatters: { level: (label: string) => ({ level: label }), log: describeErrors },
    redact: { paths: REDACTED_PATHS, censor: '[hidden]' },
    mixin: traceIds,
    serializers: { err: describeError },
    hooks: { streamWrite: finishLines(copyTo) },
  };
  return pino(settings, destination ?? stdoutLines(base));
}

/** An error under another name than `err` would be written with every field that its client gave it. */
function describeErrors(fields: Record<string, unknown>): Record<string, unknown> {
  const described = Object.entries(fields).flatMap(([name, value]) =>
    name !== 'err' && value instanceof Error ? [[name, describeError(value)] as const] : [],
  );
  return described.length === 0 ? fields : { ...fields, ...Object.fromEntries(described) };
}

/** The last step of a line, after which nothing is added: the collector gets what stdout gets. */
function finishLines(copyTo: LoggerOptions['copyTo']) {
  return (line: string) => {
    const finished = hideUrlCredentials(line);
    copyTo?.(finished);
    return finished;
  };
}

/** Ties a log line to its trace. Costs one lookup in the async context, and only when a line is written. */
function traceIds(): object {
  const context = trace.getActiveSpan()?.spanContext();
  if (context === undefined || !isSpanContextValid(context)) return {};
  return { trace_id: context.traceId, span_id: context.spanId };
}

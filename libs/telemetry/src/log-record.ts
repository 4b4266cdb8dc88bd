import { SeverityNumber } from '@opentelemetry/api';
import type { Attributes, LogRecord } from '@opentelemetry/api';

const SEVERITIES: Readonly<Record<string, SeverityNumber>> = {
  trace: SeverityNumber.TRACE,
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
  fatal: SeverityNumber.FATAL,
};

/** What `createLogger` writes; beside it is what the caller gave. */
interface Line {
  level: string;
  time: string;
  msg?: string;
  err?: Attributes;
}

/** What has a place of its own in a record, in its resource or in its context. */
const NO_ATTRIBUTES = new Set(['level', 'time', 'msg', 'err', 'service', 'version', 'trace_id', 'span_id']);

/**
 * A line of the log as a record of OpenTelemetry, with the names that it has for errors.
 *
 * It is made of the line as it stands on stdout, so that what is hidden there is hidden here.
 */
export function toLogRecord(line: string): LogRecord {
  const fields = JSON.parse(line) as Line;
  const { level, time, msg, err } = fields;
  const given = Object.entries(fields).filter(([name]) => !NO_ATTRIBUTES.has(name));
  return {
    timestamp: Date.parse(time),
    severityNumber: SEVERITIES[level] ?? SeverityNumber.UNSPECIFIED,
    severityText: level,
    body: msg ?? '',
    attributes: { ...Object.fromEntries(given), ...(err === undefined ? {} : describeError(err)) },
  };
}

function describeError({ type, message, stack, ...rest }: Attributes): Attributes {
  return {
    'exception.type': type,
    'exception.message': message,
    'exception.stacktrace': stack,
    ...(Object.keys(rest).length === 0 ? {} : { err: rest }),
  };
}

import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import type { Resource } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { reportFailures } from './collector-report.ts';
import type { CollectorReport } from './collector-report.ts';
import { toLogRecord } from './log-record.ts';

/** How many lines wait for the collector. While it is away, those that come later are on stdout alone. */
const MAX_WAITING = 2_048;
/** A longer text is cut: stdout has the whole of it. */
const MAX_TEXT_LENGTH = 8_192;

/** Takes lines of the log and sends them to a collector, as OTLP protobuf over HTTP. */
export interface LogExport {
  write: (line: string) => void;
  stop: () => Promise<void>;
}

export function startLogExport(options: {
  resource: Resource;
  scope: { name: string; version: string };
  url: string;
  report: CollectorReport;
}): LogExport {
  const { resource, scope, url, report } = options;
  const exporter = new OTLPLogExporter({ url });
  reportFailures(exporter, report);
  // Not the global one: two services in one process, as in a test, have logs of their own.
  const provider = new LoggerProvider({
    resource,
    logRecordLimits: { attributeValueLengthLimit: MAX_TEXT_LENGTH },
    processors: [new BatchLogRecordProcessor({ exporter, maxQueueSize: MAX_WAITING })],
  });
  const logger = provider.getLogger(scope.name, scope.version);
  return {
    // The line is written inside of its trace, which the SDK looks up.
    write: (line) => logger.emit(toLogRecord(line)),
    stop: () => provider.shutdown(),
  };
}

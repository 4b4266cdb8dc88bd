import { ExportResultCode } from '@opentelemetry/core';
import type { ExportResult } from '@opentelemetry/core';
import type { Logger } from './logger.ts';

interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void;
}

/** Says in the log that a collector is away, and that it is back: once each, not with every batch. */
export type CollectorReport = (result: ExportResult) => void;

export function createCollectorReport(options: {
  /** What it does not take: `traces`. */
  signal: string;
  url: string;
  /** Asked when there is something to say. The logger may be made later than what it sends its lines to. */
  logger: () => Logger;
}): CollectorReport {
  const { signal, url, logger } = options;
  // The address may hold a password.
  const collector = URL.canParse(url) ? new URL(url).origin : url;
  let isAway = false;
  return ({ code, error }) => {
    const fails = code !== ExportResultCode.SUCCESS;
    if (fails && !isAway) {
      logger().warn(
        { collector, reason: describe(error) },
        `the collector does not take ${signal}: what it is sent is lost until it does`,
      );
    }
    if (!fails && isAway) logger().info({ collector }, `the collector takes ${signal} again`);
    isAway = fails;
  };
}

/**
 * Has the failures of an exporter told by `report` alone.
 *
 * The SDK's batch processors log every batch that is lost: they are told that all is well. They do not send again, either way.
 */
export function reportFailures<Items>(exporter: Exporter<Items>, report: CollectorReport): void {
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) =>
    send(items, (result) => {
      report(result);
      done({ code: ExportResultCode.SUCCESS });
    });
}

/** A connection that is refused on IPv4 and on IPv6 is an error with a code and no message. */
function describe(error: Error | undefined): string {
  if (error === undefined) return 'unknown';
  return error.message === '' ? String((error as NodeJS.ErrnoException).code) : error.message;
}

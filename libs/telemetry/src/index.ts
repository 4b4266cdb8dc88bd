export { startTelemetry } from './start-telemetry.ts';
export type { Telemetry, TelemetryOptions } from './start-telemetry.ts';
export { telemetryVariables } from './config.ts';
export type { TelemetryConfig } from './config.ts';
export { createLogger } from './logger.ts';
export type { Logger } from './logger.ts';
export { createTally } from './tally.ts';
export type { Tally, TallyCell } from './tally.ts';
export { formatTraceparent, linksFromTraceparents, parseTraceparent } from './traceparent.ts';

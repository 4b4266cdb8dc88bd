import { createLogger } from '@cellarman/telemetry';
import { createSlots } from '../src/clickhouse/slots.ts';
import { createLive } from '../src/live/live.ts';
import type { Live } from '../src/live/live.ts';
import type { StreamOptions } from '../src/readings/admit-stream.ts';

const streams: StreamOptions = {
  open: createSlots({ running: 1_000, runningPerReader: 1_000, waiting: 0, waitMs: 0 }),
  limits: { maxMs: 600_000, minBytesPerSecond: 1, windowMs: 600_000 },
  authorizeEveryMs: 60_000,
  logger: createLogger({ service: 'test', version: '0', level: 'silent' }),
};

const ALERTS_TOKEN = 'the-token-for-alert-rules';

/** What an app is made with where its bounds do not matter. */
export const withoutBounds: {
  streams: StreamOptions;
  live: Live;
  maxConnections: number;
  alertsTokens: readonly string[];
} = {
  alertsTokens: [ALERTS_TOKEN],
  streams,
  live: createLive({ feeds: { watch: async () => () => undefined, size: () => 0 }, streams }),
  maxConnections: 1_000,
};

import { integer } from '@cellarman/config';
import type { StreamLimits } from './bound-stream.ts';

/** The environment variables of a service that sends responses piece by piece. */
export const streamVariables = {
  STREAM_MAX_SECONDS: integer({
    minimum: 1,
    maximum: 86_400,
    default: 600,
    description: 'Maximum duration of an NDJSON or CSV response, in seconds; the connection is then closed.',
  }),
  STREAM_MIN_BYTES_PER_SECOND: integer({
    minimum: 1,
    default: 4_096,
    description:
      'Minimum throughput of the client of such a response, in bytes per second; slower connections are closed.',
  }),
  STREAM_RATE_WINDOW_MS: integer({
    minimum: 100,
    default: 30_000,
    description: 'Time over which the throughput is averaged, in milliseconds.',
  }),
};

export function streamLimits(config: {
  STREAM_MAX_SECONDS: number;
  STREAM_MIN_BYTES_PER_SECOND: number;
  STREAM_RATE_WINDOW_MS: number;
}): StreamLimits {
  return {
    maxMs: config.STREAM_MAX_SECONDS * 1_000,
    minBytesPerSecond: config.STREAM_MIN_BYTES_PER_SECOND,
    windowMs: config.STREAM_RATE_WINDOW_MS,
  };
}

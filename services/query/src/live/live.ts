import { ApiError } from '@cellarman/http-api';
import { observeGauges } from '@cellarman/telemetry';
import type { Telemetry } from '@cellarman/telemetry';
import type { StreamOptions } from '../readings/admit-stream.ts';
import type { EventStream } from './event-stream.ts';
import type { Feeds } from './feeds.ts';

/** The open streams of new readings. */
export interface Live {
  feeds: Feeds;
  streams: StreamOptions;
  /**
   * Ends the stream in time, so that its client reconnects before it is cut off.
   *
   * @throws {ApiError} `unavailable` when the replica is stopping
   */
  add(stream: EventStream): void;
  /** Ends all streams; their clients reconnect to another replica. */
  end(): void;
}

/** Streams that began together end at different times. */
const SHARE_OF_MAX = { least: 0.7, most: 0.95 };

export function createLive({ feeds, streams }: Pick<Live, 'feeds' | 'streams'>): Live {
  const open = new Set<EventStream>();
  let hasEnded = false;
  return {
    feeds,
    streams,
    add(stream) {
      if (hasEnded) throw new ApiError('unavailable', 'The service is restarting. Try again.');
      const { least, most } = SHARE_OF_MAX;
      const lifetimeMs = streams.limits.maxMs * (least + Math.random() * (most - least));
      const timer = setTimeout(() => stream.end(), lifetimeMs);
      timer.unref();
      open.add(stream);
      stream.body.once('close', () => {
        clearTimeout(timer);
        open.delete(stream);
      });
    },
    end() {
      hasEnded = true;
      for (const stream of open) stream.end();
    },
  };
}

export interface LiveLimits {
  streams: number;
}

/** How many streams are open, and how many cellars are polled for them. */
export function observeLive(
  meter: Telemetry['meter'],
  { feeds, streams }: Pick<Live, 'feeds' | 'streams'>,
  limits: LiveLimits,
): void {
  observeGauges(meter, 'cellarman_query_live_', {
    streams: ['Open streams of new readings.', () => streams.open.running()],
    streams_limit: ['The limit of open streams.', () => limits.streams],
    cellars: ['Cellars that are polled for open streams.', () => feeds.size()],
  });
}

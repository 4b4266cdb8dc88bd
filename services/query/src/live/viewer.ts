import type { RackLimit } from '../access/reader.ts';
import type { Arrival, ArrivalFilter, ArrivalsEvent, StoredArrival } from './arrival.ts';
import type { ServerSentEvent } from './event-stream.ts';
import type { Arrivals } from './feed.ts';

export interface ViewerOptions {
  limit: RackLimit;
  filter: ArrivalFilter;
  /** Readings in an event, at most. 0: they are only counted. */
  maxReadings: number;
}

/** What one client has not been sent yet: the newest readings that match, and the number of the others. */
export interface Viewer {
  /** What the stream begins with. What arrives and is part of it is not sent again. */
  begin(first: ArrivalsEvent, position: string): void;
  offer(arrivals: Arrivals): void;
  offerRejections(): void;
  take(): ServerSentEvent | undefined;
}

export function createViewer({ limit, filter, maxReadings }: ViewerOptions): Viewer {
  const matches = createMatch(limit, filter);
  const sent = new Set<string>();
  let hasBegun = false;
  let pending: ArrivalsEvent | undefined;
  let id = '';

  function add(event: ArrivalsEvent, position: string): void {
    const readings = [...event.readings, ...(pending?.readings ?? [])];
    const held = readings.slice(0, maxReadings);
    pending = {
      readings: held,
      more: event.more + (pending?.more ?? 0) + readings.length - held.length,
      isComplete: event.isComplete && pending?.isComplete !== false,
      ...((event.hasRejections ?? pending?.hasRejections) && { hasRejections: true }),
    };
    // An insert that took long has an earlier position than those before it.
    if (position.slice(0, -1) > id.slice(0, -1)) id = position;
  }

  return {
    begin(first, position) {
      hasBegun = true;
      for (const reading of first.readings) sent.add(identityOf(reading));
      const since = pending;
      pending = undefined;
      add(first, position);
      if (since === undefined) return;
      add({ ...since, readings: since.readings.filter((reading) => !sent.has(identityOf(reading))) }, id);
    },
    offer({ readings, unread, position, seenAt }) {
      const wanted = readings.filter((reading) => matches(reading) && !sent.has(identityOf(reading)));
      if (wanted.length === 0 && unread === 0) return;
      add(
        {
          readings: wanted.slice(0, maxReadings).map((reading) => toArrival(reading, seenAt)),
          more: Math.max(0, wanted.length - maxReadings) + (matches.all ? unread : 0),
          isComplete: unread === 0 || matches.all,
        },
        position,
      );
    },
    offerRejections: () => add({ readings: [], more: 0, isComplete: true, hasRejections: true }, id),
    take() {
      if (!hasBegun || pending === undefined) return undefined;
      const data = pending;
      pending = undefined;
      return { event: 'readings', id, data };
    },
  };
}

function createMatch(limit: RackLimit, { rack, rackPrefix, keg }: ArrivalFilter) {
  const racks = [limit.rack, rack].filter((name) => name !== null && name !== undefined);
  const prefixes = [limit.prefix, rackPrefix].filter((prefix) => prefix !== null && prefix !== undefined);
  const matches = (reading: StoredArrival): boolean =>
    racks.every((name) => reading.rack === name) &&
    prefixes.every((prefix) => reading.rack.startsWith(prefix)) &&
    (keg === undefined || reading.keg === keg);
  return Object.assign(matches, { all: racks.length + prefixes.length === 0 && keg === undefined });
}

function toArrival(reading: StoredArrival, seenAt: Date): Arrival {
  return { ...reading, visibleAfterMs: Math.max(0, seenAt.getTime() - Date.parse(reading.receivedAt)) };
}

/** Within a cellar. */
function identityOf({ rack, keg, timestamp, value }: StoredArrival): string {
  return JSON.stringify([rack, keg, timestamp, value]);
}

import { createHash } from 'node:crypto';
import { createFleet } from '../../tools/simulator/src/fleet.ts';

const RACKS = 5_000;
const KEGS = 4;
const INTERVAL_MS = 60_000;
const START = Date.parse('2026-11-01T00:00:00Z');
/** A device does not measure exactly every minute. */
const MOST_JITTER_MS = 400;
/** From the device to ingest. */
const MOST_LATENCY_MS = 80;

/** As ingest publishes it. */
export interface PublishedReading {
  rack: string;
  line: string;
}

/**
 * Names and values of the simulator's fleet, at times as of real devices: each rack measures its kegs once a minute, all at
 * the same millisecond, in any order of racks. Each rack has an API key of its own.
 */
export function* publishedReadings(count: number): Generator<PublishedReading> {
  const random = lehmer(1);
  const fleet = createFleet({ cellar: 'demo', racks: RACKS, random });
  const racks = Array.from({ length: RACKS }, (_, rack) => ({ rack, phase: random() * INTERVAL_MS }));
  racks.sort((a, b) => a.phase - b.phase);
  let left = count;
  for (let minute = START; left > 0; minute += INTERVAL_MS) {
    // The fleet goes through all racks with one keg, and then with the next.
    const bodies = Array.from({ length: RACKS * KEGS }, () => fleet.next().body);
    for (const { rack, phase } of racks) {
      const at = minute + phase + random() * MOST_JITTER_MS;
      const timestamp = new Date(at).toISOString();
      const receivedAt = new Date(at + random() * MOST_LATENCY_MS).toISOString();
      for (let keg = 0; keg < KEGS && left > 0; keg++, left--) {
        const body = (bodies[keg * RACKS + rack] ?? '').replace(
          /"timestamp":"[^"]+"/,
          `"timestamp":"${timestamp}"`,
        );
        const name = /"rack":"([^"]+)"/.exec(body)?.[1] ?? '';
        const line = `${body.slice(0, -1)},"received_at":"${receivedAt}","key_id":"${keyId(name)}"}`;
        yield { rack: name, line };
      }
    }
  }
}

/** The same for each run. */
function lehmer(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function keyId(rack: string): string {
  const digits = createHash('sha256').update(rack).digest('hex');
  return [0, 8, 12, 16, 20].map((at, i) => digits.slice(at, [8, 12, 16, 20, 32][i])).join('-');
}

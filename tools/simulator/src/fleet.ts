import { readingJson } from '@cellarman/reading';

/** A number of racks, each with the same sensors, whose values wander around a mean. */
export interface Fleet {
  /** The next reading: the racks alternate, and each sends one sensor after the other. */
  next(): Reading;
}

export interface Reading {
  /** The JSON of the five fields, as it is sent. */
  body: string;
}

interface Keg {
  name: string;
  mean: number;
  /** How far the value moves from one reading to the next, at most. */
  step: number;
  decimals: number;
}

const KEGS: Keg[] = [
  { name: 'temperature', mean: 12.5, step: 0.08, decimals: 2 },
  { name: 'humidity', mean: 68, step: 0.3, decimals: 1 },
  { name: 'vibration', mean: 0.42, step: 0.015, decimals: 4 },
  { name: 'co2', mean: 640, step: 9, decimals: 0 },
];

/** How fast a value goes back to its mean. */
const PULL = 0.02;

/** Clocks of devices are wrong by up to so much; ingest accepts far more. */
const CLOCK_ERROR_MS = 2_000;

/** In the six digits behind the milliseconds. */
const NUMBERS_PER_MS = 1_000_000;

export interface FleetOptions {
  cellar: string;
  racks: number;
  now?: () => number;
  random?: () => number;
}

export function createFleet({ cellar, racks, now = Date.now, random = Math.random }: FleetOptions): Fleet {
  const values = new Float64Array(racks * KEGS.length);
  const clockErrors = new Float64Array(racks);
  for (let rack = 0; rack < racks; rack += 1) {
    clockErrors[rack] = (random() * 2 - 1) * CLOCK_ERROR_MS;
    KEGS.forEach(({ mean, step }, keg) => {
      values[rack * KEGS.length + keg] = mean + (random() * 2 - 1) * step * 10;
    });
  }
  const digits = String(racks - 1).length;
  const cellarJson = JSON.stringify(cellar);
  let turn = 0;
  // Two fleets that send at the same time begin at different numbers.
  let number = Math.floor(random() * NUMBERS_PER_MS);

  function wander(at: number, { mean, step, decimals }: Keg): string {
    const before = values[at] ?? mean;
    const after = before + (mean - before) * PULL + (random() * 2 - 1) * step;
    values[at] = Math.max(0, after);
    // As text, the way a device prints it: 12.50 and not 12.5.
    return Math.max(0, after).toFixed(decimals);
  }

  /** The number behind the milliseconds makes every reading one of a kind, also when its value repeats. */
  function timestamp(rack: number): string {
    number = (number + 1) % NUMBERS_PER_MS;
    const device = new Date(now() + (clockErrors[rack] ?? 0));
    return `${device.toISOString().slice(0, -1)}${String(number).padStart(6, '0')}Z`;
  }

  return {
    next() {
      const rack = turn % racks;
      const keg = Math.floor(turn / racks) % KEGS.length;
      turn += 1;
      const sensor = KEGS[keg] as Keg;
      const value = wander(rack * KEGS.length + keg, sensor);
      const name = `rack-${String(rack).padStart(digits, '0')}`;
      return {
        body: readingJson({
          cellar: cellarJson,
          rack: `"${name}"`,
          keg: `"${sensor.name}"`,
          value,
          timestamp: `"${timestamp(rack)}"`,
        }),
      };
    },
  };
}

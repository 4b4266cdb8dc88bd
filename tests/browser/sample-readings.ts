import { setTimeout as delay } from 'node:timers/promises';
import type { RunFile } from '@cellarman/local-stack';
import type { APIRequestContext } from 'playwright-core';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const RACKS = ['ferment-1', 'ferment-2', 'ferment-3', 'ferment-4'];

interface Keg {
  keg: string;
  settings: object;
  /** The value in a minute of the day before `now`, of one rack. */
  at: (minute: number, rack: number) => number;
}

/** The same on each run: a wave of a few hours, and noise that is no wave. */
const wave = (minute: number, hours: number) => Math.sin((minute / (60 * hours)) * 2 * Math.PI);
const noise = (minute: number, rack: number) => ((minute * 7_919 + rack * 104_729) % 101) / 101 - 0.5;

const KEGS: Keg[] = [
  {
    keg: 'temperature',
    settings: {
      unit: '°C',
      decimals: 1,
      description: 'Wort in the fermenter',
      goodRange: { min: 11, max: 14 },
    },
    // Each compressor of another age; the third fails for an hour in the night.
    at: (minute, rack) =>
      12 +
      rack * 0.45 +
      wave(minute + rack * 47, 3 + rack) * 0.4 +
      noise(minute, rack) * 0.15 +
      (rack === 2 ? 3.2 * Math.max(0, 1 - Math.abs(minute - 620) / 60) : 0),
  },
  {
    keg: 'pressure',
    settings: { unit: 'bar', decimals: 2, description: 'Head space', goodRange: { min: 0.8, max: 1.4 } },
    at: (minute, rack) => 1 + rack * 0.03 + wave(minute, 8) * 0.12 + noise(minute, rack) * 0.02,
  },
];

/** Sends a day of readings of four fermenters for pictures, with the units of their kegs. */
export async function sendSampleReadings(
  { ingestUrl, demo: { cellar, apiKey } }: RunFile,
  request: APIRequestContext,
): Promise<void> {
  for (const { keg, settings } of KEGS) {
    const saved = await request.put(`/api/v1/cellars/${cellar}/kegs`, { params: { keg }, data: settings });
    if (!saved.ok()) throw new Error(`keg settings: ${saved.status()} ${await saved.text()}`);
  }
  const now = Date.now();
  for (const { keg, at } of KEGS) {
    for (const [number, rack] of RACKS.entries()) {
      const readings = Array.from({ length: DAY_MINUTES }, (_, minute) => ({
        ...{ cellar, rack, keg, value: Number(at(minute, number).toFixed(4)) },
        timestamp: new Date(now - (DAY_MINUTES - minute) * MINUTE_MS).toISOString(),
      }));
      // The second one was switched off for an hour.
      const sent = readings.filter((_, minute) => number !== 1 || minute < 900 || minute > 960);
      const post = () =>
        fetch(`${ingestUrl}/api/v1/ingest/batch`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
          body: JSON.stringify(sent),
        });
      let response = await post();
      // A new key has a burst of 10,000.
      for (; response.status === 429; response = await post())
        await delay(Number(response.headers.get('retry-after')) * 1_000);
      if (response.status !== 200) throw new Error(`readings: ${response.status} ${await response.text()}`);
    }
  }
}

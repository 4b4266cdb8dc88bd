import type { ChartRange } from '../charts/chart-series.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The ranges that end now: their length, and how often they refresh. */
export const DATA_RANGES = {
  '15m': { label: '15 min', length: 15 * MINUTE, refreshMs: 2_000 },
  '1h': { label: '1 h', length: HOUR, refreshMs: 5_000 },
  '6h': { label: '6 h', length: 6 * HOUR, refreshMs: 15_000 },
  '24h': { label: '24 h', length: DAY, refreshMs: 30_000 },
  '7d': { label: '7 d', length: 7 * DAY, refreshMs: 60_000 },
  '30d': { label: '30 d', length: 30 * DAY, refreshMs: 300_000 },
} as const;

export type DataRangeName = keyof typeof DATA_RANGES;
export const DATA_RANGE_NAMES = Object.keys(DATA_RANGES) as DataRangeName[];
export const DEFAULT_RANGE: DataRangeName = '24h';

/** As in the URL: ISO 8601. */
interface FixedRange {
  from?: string;
  to?: string;
}

/** Returns the range that was zoomed into or entered. Undefined: a range that ends now. */
export function fixedRange({ from, to }: FixedRange): ChartRange | undefined {
  if (from === undefined || to === undefined) return undefined;
  return { from: Date.parse(from), to: Date.parse(to) };
}

/** Returns the search of a range with fixed ends. Shorter than a second is of no use. */
export function atRange({ from, to }: ChartRange): Required<FixedRange> {
  const start = Math.floor(from);
  return {
    from: new Date(start).toISOString(),
    to: new Date(Math.max(Math.ceil(to), start + 1_000)).toISOString(),
  };
}

/** Returns the range half its length earlier (-0.5) or later (0.5), but not in the future. */
export function movedBy(share: number, { from, to }: ChartRange, now: number): ChartRange {
  const move = Math.min(share * (to - from), Math.max(0, now - to));
  return { from: from + move, to: to + move };
}

/** Returns twice the range around its middle, but not in the future. */
export function widened({ from, to }: ChartRange, now: number): ChartRange {
  const half = (to - from) / 2;
  return { from: from - half, to: Math.min(to + half, Math.max(now, to)) };
}

import type { SeriesColour } from './series-colours.ts';

/** A step of a series. */
export interface ChartPoint {
  /** The start of the step, in milliseconds since 1970. */
  at: number;
  /** The height of the line or bar. */
  value: number;
  /** The edges of the band. */
  min?: number;
  max?: number;
}

export interface ChartSeries {
  label: string;
  colour: SeriesColour;
  /** Ordered by time. Steps without readings are absent. */
  points: readonly ChartPoint[];
}

/** How values are written, and which of them are good. The settings of a keg have this form. */
export interface ValueFormat {
  unit: string | null;
  /** null: as many as are useful. */
  decimals: number | null;
  goodRange: { min: number | null; max: number | null };
}

export const PLAIN: ValueFormat = { unit: null, decimals: null, goodRange: { min: null, max: null } };

/** In milliseconds since 1970. */
export interface ChartRange {
  from: number;
  to: number;
}

export type TimeZone = 'local' | 'utc';

/** The steps of the read API as points of a chart. */
export function toChartPoints(
  steps: readonly { at: string; avg: number; min: number; max: number }[],
): ChartPoint[] {
  return steps.map(({ at, avg, min, max }) => ({ at: Date.parse(at), value: avg, min, max }));
}

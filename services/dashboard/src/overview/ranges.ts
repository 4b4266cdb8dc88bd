/** How far the chart looks back, in how wide steps, and how often it asks again. */
export const RANGES = {
  hour: { label: 'Last hour', seconds: 3_600, step: 60, stepName: 'minute', refreshMs: 5_000 },
  day: { label: 'Last day', seconds: 86_400, step: 900, stepName: '15 minutes', refreshMs: 30_000 },
  week: { label: 'Last week', seconds: 604_800, step: 10_800, stepName: '3 hours', refreshMs: 60_000 },
} as const;

export type RangeName = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as RangeName[];

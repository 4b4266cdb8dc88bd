/** The time ranges of the chart, their step in seconds, and how often they refresh. */
export const RANGES = {
  hour: { label: 'Last hour', seconds: 3_600, step: 60, stepName: 'minute', refreshMs: 5_000 },
  day: { label: 'Last day', seconds: 86_400, step: 900, stepName: '15 minutes', refreshMs: 30_000 },
  week: { label: 'Last week', seconds: 604_800, step: 10_800, stepName: '3 hours', refreshMs: 60_000 },
} as const;

export type RangeName = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as RangeName[];

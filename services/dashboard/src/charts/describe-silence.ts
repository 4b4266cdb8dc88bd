import { describeDuration } from '../display/time/describe-time.ts';
import type { ChartRange } from './chart-series.ts';

/** "cold-room sent nothing for 3 h" */
export function describeSilence(label: string, { from, to }: ChartRange): string {
  return `${label} sent nothing for ${describeDuration(to - from)}`;
}

import { engineCases } from './engine-cases.ts';
import { ingestCases } from './ingest-cases.ts';
import { sinkCases } from './sink-cases.ts';
import { upCases } from './up-cases.ts';

/** What fires, by its labels beside the severity, and what it says. */
export type Fired = { summary: string } & Record<string, string>;

export interface AlertCase {
  alert: string;
  /** What is the matter. */
  when: string;
  /** Values every 15 s by series, in promtool's notation: `0+60x20` begins with 0 and grows by 60, 20 times. */
  series: Record<string, string>;
  expect: { at: string; fires: Fired[] }[];
}

/** For each alert what makes it fire and when, and what does not. */
export const ALERT_CASES: readonly AlertCase[] = [...upCases, ...ingestCases, ...sinkCases, ...engineCases];

/** What fires, by its labels beside the severity, and what it says. */
export type Fired = { summary: string } & Record<string, string>;

/** What is the matter, and what fires then. */
export interface AlertCase {
  alert: string;
  when: string;
  /** Values every 15 s by series, in promtool's notation: `0+60x20` begins with 0 and grows by 60, 20 times. */
  series: Record<string, string>;
  expect: { at: string; fires: Fired[] }[];
}

/** A file of `scenarios/`; see its README. */
export interface Scenario {
  name: string;
  /** What not every client has to have. */
  needs?: string[];
  options?: Record<string, unknown>;
  steps: Step[];
}

/** A reading as a name, such as `a12`, or as an object. */
export type Named = string | Record<string, unknown>;

export type Step =
  | { put: Named[]; backfill?: boolean; error?: string }
  | { respond: ScriptedResponse[] }
  | { status: Record<string, unknown> }
  | { setAside: Record<string, string> }
  | { requeue: number }
  | { clock: string | null }
  | { close: number; waiting: number }
  | { kill: true }
  | { open: Record<string, unknown>; error?: string }
  | { damage: 'garbage' };

export interface ScriptedResponse {
  /** The readings that the request must have, in this order. */
  takes?: Named[];
  /** Instead of readings: the request claims a key for this rack. */
  claims?: string;
  /** The claim has another device secret than the one before it. */
  isNewDevice?: true;
  status?: number;
  /** By index. `unavailable` is retryable, every other code is not. */
  errors?: Record<string, string>;
  /** Instead of the documented body. */
  body?: unknown;
  headers?: Record<string, string>;
  delayMs?: number;
  /** Ends the connection instead of responding. */
  cut?: true;
  /** Later requests get this response too, instead of being cut, until the next `respond`. */
  repeats?: true;
  /** The least time since the response before. */
  afterMs?: number;
}

/** `a12`: rack a, value 12, at second 12. */
export function readingOf(name: Named): Record<string, unknown> {
  if (typeof name !== 'string') return name;
  const [, rack, digits] = /^([a-z]+)(\d+)$/.exec(name) ?? [];
  if (rack === undefined) throw new Error(`${name} is not the name of a reading`);
  const value = Number(digits);
  const time = new Date(Date.UTC(2026, 0, 1) + value * 1_000).toISOString();
  return { cellar: 'c', rack, keg: 'k', value, timestamp: time.replace('.000Z', 'Z') };
}

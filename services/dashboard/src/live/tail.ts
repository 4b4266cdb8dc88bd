import type { components } from '../api/generated/query.ts';

export type Arrivals = components['schemas']['Arrivals'];
export type Arrival = Arrivals['readings'][number];

/** A line of the live table. `at` orders it, in milliseconds since 1970. */
export type TailRow =
  | { kind: 'reading'; id: string; at: number; arrival: Arrival }
  /** Readings that were not sent, because they were too many. */
  | { kind: 'more'; id: string; at: number; count: number; isComplete: boolean };

export interface Tail {
  /** The newest first. */
  rows: readonly TailRow[];
  /** What arrived while the table stands still. */
  held: { rows: readonly TailRow[]; count: number };
}

/** More rows would make the page slow, and nobody reads them. */
export const MAX_ROWS = 200;
export const EMPTY_TAIL: Tail = { rows: [], held: { rows: [], count: 0 } };

/** @param isHeld the table stands still: what arrives waits for `release` */
export function addArrivals(tail: Tail, arrivals: Arrivals, isHeld: boolean): Tail {
  const { rows, held } = tail;
  const known = new Set([...rows, ...held.rows].map(({ id }) => id));
  const fresh = toRows(arrivals).filter(({ id }) => !known.has(id));
  if (fresh.length === 0) return tail;
  if (!isHeld) return { ...tail, rows: newest([...fresh, ...rows]) };
  const count = fresh.reduce((sum, row) => sum + (row.kind === 'more' ? row.count : 1), held.count);
  return { rows, held: { rows: newest([...fresh, ...held.rows]), count } };
}

export function release({ rows, held }: Tail): Tail {
  return { ...EMPTY_TAIL, rows: newest([...held.rows, ...rows]) };
}

function newest(rows: readonly TailRow[]): readonly TailRow[] {
  return rows.toSorted((one, other) => other.at - one.at).slice(0, MAX_ROWS);
}

function toRows({ readings, more, isComplete }: Arrivals): TailRow[] {
  const rows: TailRow[] = readings.map((arrival) => ({
    kind: 'reading',
    id: JSON.stringify([arrival.rack, arrival.keg, arrival.timestamp, arrival.value]),
    at: Date.parse(arrival.storedAt),
    arrival,
  }));
  if (more === 0 && isComplete) return rows;
  const last = rows.at(-1);
  const at = last?.at ?? Date.now();
  return [
    ...rows,
    { kind: 'more', id: `more ${at} ${more} ${last?.id ?? ''}`, at: at - 0.5, count: more, isComplete },
  ];
}

/** Milliseconds from receipt to visible. For readings that were there before the page: a lower bound. */
export function latencyOf({ receivedAt, storedAt, visibleAfterMs }: Arrival): {
  ms: number;
  isExact: boolean;
} {
  if (visibleAfterMs !== null) return { ms: visibleAfterMs, isExact: true };
  return { ms: Math.max(0, Date.parse(storedAt) - Date.parse(receivedAt)), isExact: false };
}

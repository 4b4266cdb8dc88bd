import type { Attributes, Meter } from '@opentelemetry/api';
import { labelId } from './label-id.ts';

/** A counter with fixed labels. Hot paths write `cell.value += 1`: no call, no lookup, no allocation. */
export interface TallyCell {
  value: number;
}

export interface Tally {
  /** The cell of these labels, made at the first call. Fetch it once, outside the hot path. */
  cell(labels?: Attributes): TallyCell;
}

/**
 * A counter for hot paths: code adds to plain numbers, and they are read at each scrape.
 *
 * @param name without `_total`; the exporter adds it
 */
export function createTally(meter: Meter, name: string, description: string): Tally {
  const cells = new Map<string, TallyCell & { labels: Attributes }>();
  meter.createObservableCounter(name, { description }).addCallback((result) => {
    for (const { value, labels } of cells.values()) result.observe(value, labels);
  });
  return {
    cell(labels = {}) {
      const id = labelId(labels);
      let cell = cells.get(id);
      if (cell === undefined) {
        cell = { value: 0, labels };
        cells.set(id, cell);
      }
      return cell;
    },
  };
}

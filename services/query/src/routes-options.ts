import type { SelectAs } from './clickhouse/select.ts';
import type { StreamOptions } from './readings/admit-stream.ts';

/** What each group of routes needs. */
export interface RoutesOptions {
  selectAs: SelectAs;
  streams: StreamOptions;
  clock: () => Date;
}

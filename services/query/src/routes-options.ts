import type { Select } from './clickhouse/select.ts';

/** What each group of routes needs. */
export interface RoutesOptions {
  select: Select;
  clock: () => Date;
}

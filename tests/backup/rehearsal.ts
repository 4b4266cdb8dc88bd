import type { Product, ProductPorts } from '@cellarman/local-stack';
import type { Fleet } from './fleet.ts';
import type { Say } from './say.ts';

/** What a rehearsal that loses a database works with. */
export interface Rehearsal {
  product: Product;
  dataDir: string;
  ports: ProductPorts;
  /** Where the programs of PostgreSQL are, as a prefix of their names. */
  programs: string;
  fleet: Fleet;
  say: Say;
}

import type { components } from '../api/generated/query.ts';

export type Arrivals = components['schemas']['Arrivals'];
export type Arrival = Arrivals['readings'][number];

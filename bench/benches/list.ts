import type { Bench } from '../bench.ts';
import { badNeighbours } from '../overload/bad-neighbours.ts';
import { expensiveBatches } from '../overload/expensive-batches.ts';
import { idleConnections } from '../overload/idle-connections.ts';
import { slowClients } from '../overload/slow-clients.ts';
import { tenTimesCapacity } from '../overload/ten-times-capacity.ts';
import { batches } from './batches.ts';
import { growthKeys } from './growth-keys.ts';
import { growth } from './growth.ts';
import { largeBatches } from './large-batches.ts';
import { latency } from './latency.ts';
import { memory } from './memory.ts';
import { query } from './query.ts';
import { singleReadings } from './single-readings.ts';
import { sink } from './sink.ts';
import { start } from './start.ts';
import { telemetryCost } from './telemetry-cost.ts';
import { visible } from './visible.ts';

/** In the order in which "all" runs them. */
export const BENCHES: Readonly<Record<string, Bench>> = {
  'single-readings': singleReadings,
  batches,
  'large-batches': largeBatches,
  latency,
  'telemetry-cost': telemetryCost,
  visible,
  sink,
  query,
  memory,
  growth,
  'growth-keys': growthKeys,
  start,
  'ten-times-capacity': tenTimesCapacity,
  'idle-connections': idleConnections,
  'slow-clients': slowClients,
  'bad-neighbours': badNeighbours,
  'expensive-batches': expensiveBatches,
};

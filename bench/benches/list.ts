import type { Bench } from '../bench.ts';
import { badNeighbours } from '../beside/bad-neighbours.ts';
import { expensiveBatches } from '../beside/expensive-batches.ts';
import { idleConnections } from '../beside/idle-connections.ts';
import { slowClients } from '../beside/slow-clients.ts';
import { atRest } from './at-rest.ts';
import { batches } from './batches.ts';
import { bytes } from './bytes.ts';
import { client } from '../client/client.ts';
import { chart } from '../dashboard/chart.ts';
import { firstPaint } from '../dashboard/first-paint.ts';
import { keyStatements } from './key-statements.ts';
import { growth, growthKeys } from './growth.ts';
import { latency } from './latency.ts';
import { live } from '../live/live.ts';
import { memory } from './memory.ts';
import { query } from './query.ts';
import { revocations } from './revocations.ts';
import { scale } from './scale.ts';
import { singleReadings } from './single-readings.ts';
import { sink } from './sink.ts';
import { start } from './start.ts';
import { tenTimesCapacity } from './ten-times-capacity.ts';
import { visible } from './visible.ts';

/** In the order in which "all" runs them. */
export const BENCHES: Readonly<Record<string, Bench>> = {
  'single-readings': singleReadings,
  batches,
  latency,
  visible,
  'at-rest': atRest,
  sink,
  bytes,
  client,
  query,
  chart,
  'first-paint': firstPaint,
  live,
  memory,
  growth,
  'growth-keys': growthKeys,
  scale,
  revocations,
  'key-statements': keyStatements,
  start,
  'ten-times-capacity': tenTimesCapacity,
  'idle-connections': idleConnections,
  'slow-clients': slowClients,
  'bad-neighbours': badNeighbours,
  'expensive-batches': expensiveBatches,
};

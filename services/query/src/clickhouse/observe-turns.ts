import type { Telemetry } from '@cellarman/telemetry';
import type { Turns, TurnsOptions } from './turns.ts';

/** How full it is: what works and what waits, each beside its bound. */
export function observeTurns(meter: Telemetry['meter'], turns: Turns, limits: TurnsOptions): void {
  const gauge = (name: string, description: string, read: () => number) =>
    meter.createObservableGauge(name, { description }).addCallback((result) => result.observe(read()));
  gauge('cellarman_query_running', 'Queries that ClickHouse works on.', turns.running);
  gauge('cellarman_query_running_limit', 'How many of them there may be.', () => limits.atOnce);
  gauge('cellarman_query_waiting', 'Queries that wait for their turn.', turns.waiting);
  gauge(
    'cellarman_query_waiting_limit',
    'How many of them may wait. More are refused at once.',
    () => limits.waiting,
  );
}

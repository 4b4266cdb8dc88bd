import type { Telemetry } from '@cellarman/telemetry';
import type { SlotLimits, Slots } from './slots.ts';

/** How full it is: what runs and what waits, each with its limit. */
export function observeSlots(meter: Telemetry['meter'], slots: Slots, limits: SlotLimits): void {
  const gauge = (name: string, description: string, read: () => number) =>
    meter.createObservableGauge(name, { description }).addCallback((result) => result.observe(read()));
  gauge('cellarman_query_running', 'Queries that ClickHouse works on.', slots.running);
  gauge('cellarman_query_running_limit', 'How many of them there may be.', () => limits.running);
  gauge('cellarman_query_waiting', 'Queries that wait for a slot.', slots.waiting);
  gauge(
    'cellarman_query_waiting_limit',
    'How many of them may wait. More are rejected immediately.',
    () => limits.waiting,
  );
}

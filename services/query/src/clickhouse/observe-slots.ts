import { observeGauges } from '@cellarman/telemetry';
import type { Telemetry } from '@cellarman/telemetry';
import type { SlotLimits, Slots } from './slots.ts';

/** What runs and what waits, each with its limit. */
export function observeSlots(meter: Telemetry['meter'], slots: Slots, limits: SlotLimits): void {
  observeGauges(meter, 'cellarman_query_', {
    running: ['Queries that ClickHouse works on.', slots.running],
    running_limit: ['The limit of running queries.', () => limits.running],
    waiting: ['Queries that wait for a slot.', slots.waiting],
    waiting_limit: ['The limit of waiting queries. More are rejected immediately.', () => limits.waiting],
  });
}

import type { Attributes } from '@opentelemetry/api';

/** One text for the same labels in any order. */
export function labelId(labels: Attributes): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}

import { createContextKey, ROOT_CONTEXT } from '@opentelemetry/api';
import type { Context } from '@opentelemetry/api';

const IS_RECORDED = createContextKey('a new trace that is recorded');
const RECORDED = ROOT_CONTEXT.setValue(IS_RECORDED, true);

/** @returns the context of a first span that is recorded; undefined: there is nothing to record */
export type BeginTrace = () => Context | undefined;

/**
 * Decides on a new trace before it has a span. The SDK makes ids and a span first, also for those that it then leaves out: 5 % of
 * the CPU time of a reading (docs/performance.md).
 */
export function createBeginTrace(ratio: number): BeginTrace {
  return () => (Math.random() < ratio ? RECORDED : undefined);
}

/** Whether {@link createBeginTrace} has decided so. */
export function isRecorded(context: Context): boolean {
  return context.getValue(IS_RECORDED) === true;
}

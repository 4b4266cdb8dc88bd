import { trace, TraceFlags } from '@opentelemetry/api';
import type { Context, Link } from '@opentelemetry/api';
import { ParentBasedSampler, SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
import type { Sampler } from '@opentelemetry/sdk-trace';
import { isRecorded } from './new-trace.ts';

export interface SamplerOptions {
  /** The part of the traces that start here and are recorded. */
  ratio: number;
  /** False at the edge: a device that sets the sampled flag on every request must not fill the trace store. */
  trustRemoteParent: boolean;
}

/**
 * Decides when a span starts, so that a span that is not recorded costs next to nothing.
 *
 * The span of a batch follows what it links to: if one of its readings is traced, so is the insert. A new trace may have been
 * decided on before (new-trace.ts).
 */
export function createSampler({ ratio, trustRemoteParent }: SamplerOptions): Sampler {
  const root = new TraceIdRatioBasedSampler(ratio);
  const byParent = new ParentBasedSampler(
    trustRemoteParent ? { root } : { root, remoteParentSampled: root, remoteParentNotSampled: root },
  );
  return {
    shouldSample(context: Context, traceId, name, kind, attributes, links: Link[]) {
      const chosen =
        isRecorded(context) || links.some((link) => (link.context.traceFlags & TraceFlags.SAMPLED) !== 0);
      if (chosen && trace.getSpanContext(context) === undefined) {
        return { decision: SamplingDecision.RECORD_AND_SAMPLED };
      }
      return byParent.shouldSample(context, traceId, name, kind, attributes, links);
    },
    toString: () => `LinkOr${byParent.toString()}`,
  };
}

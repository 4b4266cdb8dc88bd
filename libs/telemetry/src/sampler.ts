import { trace, TraceFlags } from '@opentelemetry/api';
import type { Context, Link } from '@opentelemetry/api';
import { ParentBasedSampler, SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
import type { Sampler } from '@opentelemetry/sdk-trace';
import type { Sampling } from './config.ts';
import { isRecorded } from './new-trace.ts';

export interface SamplerOptions extends Sampling {
  /** False at the edge: a device that sets the sampled flag on every request must not fill the trace store. */
  trustRemoteParent: boolean;
}

/**
 * The samplers of OTEL_TRACES_SAMPLER, with what those of the SDK cannot do: a remote parent that is not trusted decides
 * neither by its flag nor by its trace ID, and the span of a batch follows what it links to: if one of its readings is traced, so
 * is the insert. A new trace may have been decided on before (new-trace.ts).
 */
export function createSampler({ ratio, isParentBased, trustRemoteParent }: SamplerOptions): Sampler {
  const root = new TraceIdRatioBasedSampler(ratio);
  const sampler = trustRemoteParent
    ? isParentBased
      ? new ParentBasedSampler({ root })
      : root
    : new ParentBasedSampler({ root, ...ofStrangers(ratio) });
  return {
    shouldSample(context: Context, traceId, name, kind, attributes, links: Link[]) {
      const isLinked =
        isParentBased && links.some((link) => (link.context.traceFlags & TraceFlags.SAMPLED) !== 0);
      if ((isRecorded(context) || isLinked) && trace.getSpanContext(context) === undefined) {
        return { decision: SamplingDecision.RECORD_AND_SAMPLED };
      }
      return sampler.shouldSample(context, traceId, name, kind, attributes, links);
    },
    toString: () => `LinkOr${sampler.toString()}`,
  };
}

/** Random: the ratio of the SDK is a function of the trace ID, which the caller chooses. Its inner spans follow the first. */
function ofStrangers(ratio: number) {
  const random: Sampler = {
    shouldSample: () => ({
      decision: Math.random() < ratio ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
    }),
    toString: () => `Random{${ratio}}`,
  };
  return { remoteParentSampled: random, remoteParentNotSampled: random };
}

import { context, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import type { Link } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import { describe, expect, it } from 'vitest';
import { createSampler } from '../src/sampler.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanContext = (traceFlags: 0 | 1, isRemote: boolean) => ({
  traceId: TRACE,
  spanId: '00f067aa0ba902b7',
  traceFlags,
  isRemote,
});

function decide(options: {
  ratio: number;
  traceId?: string;
  isParentBased?: boolean;
  trustRemoteParent: boolean;
  parent?: 0 | 1;
  local?: boolean;
  links?: Link[];
}) {
  const parent =
    options.parent === undefined
      ? ROOT_CONTEXT
      : trace.setSpanContext(context.active(), spanContext(options.parent, options.local !== true));
  return createSampler({ isParentBased: true, ...options }).shouldSample(
    parent,
    options.traceId ?? TRACE,
    'x',
    SpanKind.INTERNAL,
    {},
    options.links ?? [],
  ).decision;
}

const RECORDED = SamplingDecision.RECORD_AND_SAMPLED;
const DROPPED = SamplingDecision.NOT_RECORD;

describe('the sampler', () => {
  it.each([
    ['a new trace by the ratio 0', { ratio: 0, trustRemoteParent: true }, DROPPED],
    ['a new trace by the ratio 1', { ratio: 1, trustRemoteParent: true }, RECORDED],
    ['a remote parent that it trusts: recorded', { ratio: 0, trustRemoteParent: true, parent: 1 }, RECORDED],
    [
      'a remote parent that it trusts: not recorded',
      { ratio: 1, trustRemoteParent: true, parent: 0 },
      DROPPED,
    ],
    [
      'a remote parent at the edge by the ratio, not by its flag',
      { ratio: 0, trustRemoteParent: false, parent: 1 },
      DROPPED,
    ],
    ['a local parent at the edge', { ratio: 0, trustRemoteParent: false, parent: 1, local: true }, RECORDED],
    [
      'a batch that holds a recorded reading',
      { ratio: 0, trustRemoteParent: true, links: [{ context: spanContext(1, true) }] },
      RECORDED,
    ],
    [
      'a batch that holds none',
      { ratio: 0, trustRemoteParent: true, links: [{ context: spanContext(0, true) }] },
      DROPPED,
    ],
    [
      'a remote parent by the ratio alone, without parentbased',
      { ratio: 0, isParentBased: false, trustRemoteParent: true, parent: 1 },
      DROPPED,
    ],
    [
      'a batch by the ratio alone, without parentbased',
      {
        ratio: 0,
        isParentBased: false,
        trustRemoteParent: true,
        links: [{ context: spanContext(1, true) }],
      },
      DROPPED,
    ],
    [
      'an inner span by its parent, not by its links',
      {
        ratio: 0,
        trustRemoteParent: true,
        parent: 0,
        local: true,
        links: [{ context: spanContext(1, true) }],
      },
      DROPPED,
    ],
  ] as const)('decides for %s', (_case, options, decision) => {
    expect(decide({ ...options, links: 'links' in options ? [...options.links] : [] })).toBe(decision);
  });

  it.each([true, false])(
    'at the edge is not decided by a chosen trace ID (parentbased: %s)',
    (isParentBased) => {
      // Sampled by each ratio above 0: the ratio of the SDK goes by a sum of the parts of the ID.
      const chosen = { traceId: 'abcdabcd'.repeat(4), parent: 1, isParentBased } as const;
      const decisions = Array.from({ length: 1_000 }, () =>
        decide({ ratio: 0.01, trustRemoteParent: false, ...chosen }),
      );
      expect(decisions).toContain(DROPPED);
    },
  );
});

import type { IngestHealth, SinkHealth } from '@cellarman/contracts';
import { findProblems, isSilent, isStopping } from './find-problems.ts';
import { rateOf } from './rate-of.ts';
import type { PipelineView } from './pipeline-schema.ts';
import type { Reported } from './replica-reports.ts';

/** The description of the partitions is fetched every five seconds, by one sink. */
const PARTITIONS_KEPT_MS = 30_000;

/** What the replicas reported, and what is wrong with it. */
export function describePipeline(
  reports: { ingest: Reported<IngestHealth>[]; sink: Reported<SinkHealth>[] },
  runbookBaseUrl: string | null,
): PipelineView {
  const { ingest, sink } = reports;
  const topic = latestTopic(sink);
  const problems = findProblems({ ingest, sink, partitions: topic?.partitions });
  const [worst] = problems;
  const consumers = new Map(
    sink
      .filter((replica) => !isSilent(replica))
      .flatMap(({ report }) => report.partitions.map((partition) => [partition, report.host] as const)),
  );
  const behind = sink.map(behindSeconds).filter((seconds) => seconds !== null);
  const total = (of: (replica: Reported<IngestHealth>) => number | null) => sumOf(ingest.map(of));

  return {
    state: worst?.state ?? 'ok',
    behindSeconds: behind.length === 0 ? null : Math.max(...behind),
    problem: worst?.title ?? null,
    runbook: worst?.runbook ?? null,
    problems,
    runbookBaseUrl,
    ingest: {
      acceptedPerSecond: total((replica) => perSecond(replica, replica.report.accepted)),
      rejectedPerSecond: total((replica) => perSecond(replica, replica.report.rejected)),
      failedPerSecond: total((replica) => perSecond(replica, replica.report.failed)),
      replicas: ingest.map((replica) => ({
        ...viewOf(replica),
        acceptedPerSecond: perSecond(replica, replica.report.accepted),
        rejectedPerSecond: perSecond(replica, replica.report.rejected),
        failedPerSecond: perSecond(replica, replica.report.failed),
        acknowledgeMs: replica.report.acknowledgeMs,
        waitingReadings: replica.report.waitingReadings,
      })),
    },
    kafka: {
      ageSeconds: topic === undefined ? null : topic.ageMs / 1_000,
      partitions: (topic?.partitions ?? []).map((partition) => ({
        ...partition,
        sink: consumers.get(partition.partition) ?? null,
      })),
    },
    sink: {
      storedPerSecond: sumOf(sink.map((replica) => perSecond(replica, replica.report.stored))),
      deadLettersPerSecond: sumOf(sink.map((replica) => perSecond(replica, replica.report.deadLetters))),
      replicas: sink.map((replica) => ({
        ...viewOf(replica),
        storedPerSecond: perSecond(replica, replica.report.stored),
        storeMs: replica.report.storeMs,
        behindSeconds: behindSeconds(replica),
        partitions: replica.report.partitions,
      })),
    },
  };
}

/** Of the sinks that fetched the partitions, the latest. After a rebalance there are two for a moment. */
export function latestTopic(sinks: readonly Reported<SinkHealth>[]) {
  return sinks
    .flatMap(({ ageMs, report: { topic } }) =>
      topic === null ? [] : [{ ageMs: ageMs + topic.ageMs, partitions: topic.partitions }],
    )
    .filter(({ ageMs }) => ageMs <= PARTITIONS_KEPT_MS)
    .toSorted((a, b) => a.ageMs - b.ageMs)[0];
}

function viewOf(replica: Reported<IngestHealth | SinkHealth>) {
  const { process, host, version, uptimeSeconds, notReady } = replica.report;
  return { process, host, version, uptimeSeconds, notReady, ...stateOf(replica) };
}

function stateOf(replica: Reported<IngestHealth | SinkHealth>) {
  const reportAgeSeconds = replica.ageMs / 1_000;
  if (isSilent(replica)) return { state: 'silent', reportAgeSeconds } as const;
  if (isStopping(replica)) return { state: 'stopping', reportAgeSeconds } as const;
  const isReady = replica.report.notReady.length === 0;
  return { state: isReady ? 'ready' : 'not ready', reportAgeSeconds } as const;
}

function perSecond(replica: Reported<{ windowSeconds: number }>, count: number): number | null {
  return isSilent(replica) ? null : rateOf(replica.report, count);
}

function behindSeconds(replica: Reported<SinkHealth>): number | null {
  const { behindMs } = replica.report;
  return isSilent(replica) || behindMs === null ? null : behindMs / 1_000;
}

function sumOf(rates: readonly (number | null)[]): number | null {
  const known = rates.filter((rate) => rate !== null);
  return known.length === 0 ? null : known.reduce((sum, rate) => sum + rate, 0);
}

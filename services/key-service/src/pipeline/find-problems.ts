import type { IngestHealth, PartitionHealth, SinkHealth } from '@cellarman/contracts';
import { SILENT_AFTER_MS } from './replica-reports.ts';
import type { Reported } from './replica-reports.ts';
import type { Problem } from './pipeline-schema.ts';

/** What the replicas reported, as the rules see it. */
export interface Pipeline {
  ingest: Reported<IngestHealth>[];
  sink: Reported<SinkHealth>[];
  /** Undefined: no sink has described them lately. */
  partitions: PartitionHealth[] | undefined;
}

/** As the alerts have them, see deploy/helm/cellarman/files/alerts.yaml. */
const LATE_SECONDS = 10;
const VERY_LATE_SECONDS = 60;
const FAILED_SHARE = 0.01;

export const isSilent = ({ ageMs }: Reported<unknown>): boolean => ageMs > SILENT_AFTER_MS;
/** A process that stops in order reports its part `process` as not ready. */
export const isStopping = ({ report }: Reported<IngestHealth | SinkHealth>): boolean =>
  report.notReady.some(({ part }) => part === 'process');

/** What is wrong, in words, the worst first. Nothing that is unknown counts as healthy. */
export function findProblems(pipeline: Pipeline): Problem[] {
  const problems = [
    ...ingestProblems(pipeline),
    ...kafkaProblems(pipeline),
    ...sinkProblems(pipeline),
    ...silentReplicas(pipeline),
  ];
  return problems.toSorted((a, b) => Number(b.state === 'bad') - Number(a.state === 'bad'));
}

function ingestProblems({ ingest }: Pipeline): Problem[] {
  const live = ingest.filter((replica) => !isSilent(replica));
  if (live.length === 0) {
    const text = 'No replica of ingest reports. Devices may be unable to send readings.';
    return [bad('Ingest does not report', text, 'CellarmanServiceDown')];
  }
  const problems: Problem[] = [];
  for (const { host, part, reason } of partsOf(live)) {
    const runbook = part === 'keys' ? 'CellarmanKeysAreOld' : 'CellarmanIngestFails';
    problems.push(bad('Ingest is not ready', `ingest on ${host}: ${part}: ${reason}`, runbook));
  }
  const failing = unique(live.flatMap(({ report }) => report.failingPartitions));
  if (failing.length > 0) {
    const text = `Kafka does not acknowledge readings in ${inPartitions(failing)}. Devices get a 503 and retry.`;
    problems.push(bad('Kafka rejects readings', text, 'CellarmanKafkaPartitionFails'));
  }
  const failed = sum(live.map(({ report }) => report.failed));
  const all = failed + sum(live.map(({ report }) => report.accepted + report.rejected));
  if (failed > FAILED_SHARE * all) {
    const text = `${failed} of ${all} requests and readings of the last seconds failed with a 503 or 500.`;
    problems.push(bad('Ingest fails', text, 'CellarmanIngestFails'));
  }
  return problems;
}

function kafkaProblems({ partitions, sink }: Pipeline): Problem[] {
  if (partitions === undefined) {
    const text =
      'No sink has described the partitions of the topic lately: their lag and replicas are unknown.';
    return [warn('Kafka lag is unknown', text, 'CellarmanSinkIsBehind')];
  }
  const problems: Problem[] = [];
  const numbersOf = (is: (partition: PartitionHealth) => boolean) =>
    partitions.filter(is).map(({ partition }) => partition);
  const leaderless = numbersOf(({ leader }) => leader === null);
  if (leaderless.length > 0) {
    const text = `No broker leads ${inPartitions(leaderless)}. Readings for them are rejected with a 503.`;
    problems.push(bad('Partitions without a leader', text, 'CellarmanKafkaPartitionFails'));
  }
  const reduced = numbersOf(({ inSync, replicas }) => inSync < replicas);
  if (reduced.length > 0) {
    const text = `Not all replicas are in sync in ${inPartitions(reduced)}: a broker is away or catching up.`;
    problems.push(warn('Replicas out of sync', text, 'CellarmanKafkaPartitionFails'));
  }
  const live = sink.filter((replica) => !isSilent(replica));
  const assigned = new Set(live.flatMap(({ report }) => report.partitions));
  const unassigned = numbersOf(({ partition }) => !assigned.has(partition));
  if (live.length > 0 && unassigned.length > 0) {
    const text = `No reporting sink consumes ${inPartitions(unassigned)}. Their readings stay in Kafka.`;
    problems.push(bad('Partitions are not consumed', text, 'CellarmanSinkIsBehind'));
  }
  return problems;
}

function sinkProblems({ sink }: Pipeline): Problem[] {
  const live = sink.filter((replica) => !isSilent(replica));
  if (live.length === 0) {
    const text = 'No replica of the sink reports. Accepted readings stay in Kafka and may not be stored.';
    return [bad('Sink does not report', text, 'CellarmanServiceDown')];
  }
  const problems: Problem[] = [];
  const failed = live.filter(({ report }) => report.hasFailed).map(({ report }) => report.host);
  if (failed.length > 0) {
    const text = `The sink on ${failed.join(', ')} has stopped consuming, because ClickHouse rejects rows that should be valid.`;
    problems.push(bad('Sink has stopped', text, 'CellarmanSchemaError'));
  }
  for (const { host, part, reason } of partsOf(live)) {
    if (part === 'schema') continue;
    const title = part === 'clickhouse' ? 'ClickHouse is unavailable' : 'Sink is not ready';
    const text = `sink on ${host}: ${part}: ${reason}. Readings wait in Kafka.`;
    problems.push(bad(title, text, 'CellarmanSinkIsStuck'));
  }
  const behind = Math.max(0, ...live.map(({ report }) => (report.behindMs ?? 0) / 1_000));
  if (behind > LATE_SECONDS) {
    const text = `Readings can be queried ${behind.toFixed(0)} s after their receipt.`;
    const state = behind > VERY_LATE_SECONDS ? bad : warn;
    problems.push(state('Storage is behind', text, 'CellarmanSinkIsBehind'));
  }
  const letters = sum(live.map(({ report }) => report.deadLetters));
  if (letters > 0) {
    const text = `${letters} messages of the last seconds are not valid readings.`;
    problems.push(warn('New dead letters', text, 'CellarmanDeadLetters'));
  }
  return problems;
}

function silentReplicas({ ingest, sink }: Pipeline): Problem[] {
  return [...named('ingest', ingest), ...named('sink', sink)]
    .filter(isSilent)
    .map(({ service, ageMs, report }) => {
      const text = `${service} on ${report.host} has not reported for ${(ageMs / 1_000).toFixed(0)} s.`;
      return warn('A replica is silent', text, 'CellarmanReplicaDown');
    });
}

function named<Health>(service: string, replicas: readonly Reported<Health>[]) {
  return replicas.map((replica) => ({ service, ...replica }));
}

function partsOf(live: readonly Reported<IngestHealth | SinkHealth>[]) {
  return live
    .filter((replica) => !isStopping(replica))
    .flatMap(({ report }) => report.notReady.map((part) => ({ host: report.host, ...part })));
}

function bad(title: string, text: string, runbook: string): Problem {
  return { state: 'bad', title, text, runbook };
}

function warn(title: string, text: string, runbook: string): Problem {
  return { state: 'warn', title, text, runbook };
}

function inPartitions(numbers: readonly number[]): string {
  return `${numbers.length === 1 ? 'partition' : 'partitions'} ${numbers.join(', ')}`;
}

function unique(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].toSorted((a, b) => a - b);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

import type { SinkHealth } from '@cellarman/contracts';
import { latestTopic } from './describe-pipeline.ts';
import { findProblems, isSilent } from './find-problems.ts';
import type { Reported } from './replica-reports.ts';

/** Of the problems that keep accepted readings from being stored. */
const RUNBOOKS = new Set(['CellarmanSinkIsBehind', 'CellarmanSinkIsStuck', 'CellarmanSchemaError']);

/**
 * Returns why accepted readings may not be stored yet, in a few words. Undefined: queries have all but those of the last
 * seconds. What is unknown counts as a problem.
 */
export function findStorageProblem(sink: Reported<SinkHealth>[]): string | undefined {
  const live = sink.filter((replica) => !isSilent(replica));
  if (live.length === 0) return 'Sink does not report';
  const partitions = latestTopic(sink)?.partitions;
  const problem = findProblems({ ingest: [], sink, partitions }).find(({ runbook }) => RUNBOOKS.has(runbook));
  if (problem !== undefined) return problem.title;
  // A sink that cannot fetch, or has just started again, has nothing to be late with.
  const lagging = new Set(partitions?.filter(({ lag }) => lag !== 0).map(({ partition }) => partition));
  const isWaiting = live.some(
    ({ report }) => report.behindMs === null && report.partitions.some((number) => lagging.has(number)),
  );
  return isWaiting ? 'Readings wait in Kafka' : undefined;
}

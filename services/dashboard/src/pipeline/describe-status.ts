import type { PipelineStatus } from '../api/resources.ts';
import type { StatusKind } from '../display/status.tsx';

/** Of the problem that has a page of its own. */
export const DEAD_LETTERS_RUNBOOK = 'CellarmanDeadLetters';

/** The pipeline in a few words. `isCurrent` false: the last refresh failed, so the status is unknown. */
export function describeStatus(
  status: PipelineStatus | undefined,
  isCurrent: boolean,
): { kind: StatusKind; words: string } {
  if (status === undefined || !isCurrent) return { kind: 'idle', words: 'Pipeline status unknown' };
  const { state, behindSeconds, problem } = status;
  if (state !== 'ok') return { kind: state, words: problem ?? 'Pipeline problem' };
  if (behindSeconds === null) return { kind: 'ok', words: 'Up to date' };
  return { kind: 'ok', words: `${describeSeconds(behindSeconds)} behind` };
}

/** Two significant figures below ten seconds, as in "0.24 s"; whole units above. */
export function describeSeconds(seconds: number): string {
  if (seconds < 0.0095) return '0.01 s';
  if (seconds < 9.95) return `${Number(seconds.toPrecision(2))} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

/** As in "6.1 ms" or "1.2 s". */
export function describeMilliseconds(milliseconds: number): string {
  return milliseconds < 1_000
    ? `${Number(milliseconds.toPrecision(2))} ms`
    : describeSeconds(milliseconds / 1_000);
}

/** As in "51/s" or "0.5/s"; "unknown" where no replica reports it. */
export function describeRate(perSecond: number | null): string {
  if (perSecond === null) return 'unknown';
  const digits = perSecond < 10 ? 1 : 0;
  return `${new Intl.NumberFormat('en-GB', { maximumFractionDigits: digits }).format(perSecond)}/s`;
}

import type { Observation, Observed } from './observed.ts';

/** An alert that is not resolved. */
export interface OpenAlert {
  id: string;
  subject: string;
  state: 'pending' | 'firing';
  since: Date;
}

export interface NextStates {
  /** They become pending. */
  begun: Observed[];
  /** Still open, with what was observed. */
  continued: { id: string; since: Date; fires: boolean; details: Record<string, unknown> }[];
  /** Those that fired are resolved, the others deleted. */
  ended: { id: string; state: OpenAlert['state'] }[];
}

/**
 * Decides what becomes of the alerts of a rule.
 *
 * An alert fires when its condition has held for long enough, but never by the first evaluation that sees it: one late insert
 * into ClickHouse is no alert.
 */
export function nextStates(open: readonly OpenAlert[], observation: Observation, now: Date): NextStates {
  const observed = new Map(observation.subjects.map((each) => [each.subject, each]));
  const known = new Set(open.map(({ subject }) => subject));
  const next: NextStates = {
    begun: observation.subjects.filter(({ subject }) => !known.has(subject)),
    continued: [],
    ended: [],
  };
  for (const alert of open) {
    const seen = observed.get(alert.subject);
    const since = seen === undefined ? undefined : sinceOf(alert, seen);
    const isLong = since !== undefined && now.getTime() - since.getTime() >= observation.holdSeconds * 1_000;
    // It did not hold for a while between two evaluations, and must hold for long enough again.
    const isOver = seen === undefined || (alert.state === 'firing' && !isLong);
    if (isOver || since === undefined) next.ended.push({ id: alert.id, state: alert.state });
    else next.continued.push({ id: alert.id, since, fires: isLong, details: seen.details });
  }
  return next;
}

/** What was seen earlier counts, unless the condition did not hold since. */
function sinceOf(alert: OpenAlert, { since, brokenAt }: Observed): Date {
  const isSame = brokenAt === null || brokenAt <= alert.since;
  return isSame && alert.since < since ? alert.since : since;
}

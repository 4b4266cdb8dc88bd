import type { Bounds, RoundReport } from './round.ts';
import { failedRequests } from './tally.ts';

type Measured = Omit<RoundReport, 'problems'>;

/** Why a round is red, each in a line. */
export function problemsOf(
  report: Measured,
  { bounds, allowedAnswers = [] }: { bounds: Bounds; allowedAnswers?: readonly string[] },
): string[] {
  const { view, topic, outOfOrder, deadLetters, mischarted, answers, slowestAnswerMs, longestOutageMs } =
    report;
  const strange = Object.keys(answers).filter(
    (answer) => isWrong(answer) && !allowedAnswers.includes(answer),
  );
  return [
    ...counted(view.missing, 'acknowledged readings are not in the view'),
    ...counted(view.doubled, 'rows are in the view twice'),
    ...counted(view.changed, 'rows of the view were never sent like that'),
    ...counted(topic.missing, 'acknowledged readings are not in the topic'),
    ...counted(topic.changed, 'records of the topic were never sent like that'),
    ...counted(outOfOrder, 'readings are in the topic behind later ones of their rack'),
    ...counted(deadLetters, 'readings are dead letters'),
    ...counted(mischarted, 'readings or latest values are shown otherwise than they are stored'),
    ...wrongVerdicts(report),
    ...view.examples.map((example) => `view, ${example}`),
    ...topic.examples.map((example) => `topic, ${example}`),
    ...strange.map((answer) => `${answers[answer] ?? 0} × ${answer}, which no fault excuses`),
    ...tooMany(answers, bounds.failedRequests),
    ...exceeded('an answer took', slowestAnswerMs, bounds.slowestAnswerMs),
    ...exceeded('nothing was acknowledged for', longestOutageMs, bounds.longestOutageMs),
  ];
}

/** The verification of completed hours and the list of dead letters must neither miss nor invent anything. */
function wrongVerdicts({ view, verified, invalid, listed = invalid }: Measured): string[] {
  const wrong = listed === invalid ? [] : [`${listed} of ${invalid} invalid messages are listed`];
  if (verified === undefined) return wrong;
  const { stored, missing, duplicated, altered, dead_letters: deadLetters } = verified;
  const isRight = stored === view.stored && deadLetters === invalid && missing + duplicated + altered === 0;
  if (isRight) return wrong;
  const ledger = `${view.stored} stored and ${invalid} invalid messages`;
  return [...wrong, `the verification found ${JSON.stringify(verified)}, the ledger ${ledger}`];
}

const RIGHT = ['200', '503 unavailable'];

/** A valid reading must be accepted or be retryable; a broken connection is no response. */
function isWrong(answer: string): boolean {
  return /^\d/.test(answer) && !RIGHT.includes(answer);
}

function counted(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}`];
}

function tooMany(answers: Record<string, number>, most: number | undefined): string[] {
  const failed = failedRequests(answers);
  return most === undefined || failed <= most ? [] : [`${failed} requests failed, more than ${most}`];
}

function exceeded(what: string, ms: number, most: number | undefined): string[] {
  return most === undefined || ms <= most ? [] : [`${what} ${ms} ms, more than ${most}`];
}

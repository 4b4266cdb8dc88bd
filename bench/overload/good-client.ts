import type { Candidate } from '../stage/candidate.ts';
import { generate } from './generate.ts';
import type { Generated } from './generate.ts';

/** A client that has nothing to do with the trouble beside it: it sends at an even rate that the service can take. */
export function runGoodClient(ingest: Candidate, seconds: number): Promise<Generated> {
  return generate({
    ...ingest,
    kind: 'reading',
    connections: 32,
    perSecond: 500,
    warmUpSeconds: 1,
    seconds,
    obeysRetryAfter: false,
  });
}

/** What the good client had besides its accepted readings. What it could not send in time is not among them: it shows in p99. */
export function errorsOf({ refused, broken, unanswered }: Generated): number {
  return refused + broken + unanswered;
}

import { ERROR_CODES } from '@cellarman/contracts';
import { createTally } from '@cellarman/telemetry';
import type { TallyCell } from '@cellarman/telemetry';
import type { Meter } from '@opentelemetry/api';
import type { Outcome } from './http/answers.ts';

/** Counts answers by outcome. The cells are fetched once: a request adds one to a number. */
export function countOutcomes(meter: Meter): (outcome: Outcome) => void {
  const tally = createTally(
    meter,
    'cellarman_ingest_answers',
    'Answers by outcome: success, unauthorized or an error code.',
  );
  const outcomes: Outcome[] = ['success', 'unauthorized', ...ERROR_CODES];
  const cells = Object.fromEntries(outcomes.map((outcome) => [outcome, tally.cell({ outcome })])) as Record<
    Outcome,
    TallyCell
  >;
  return (outcome) => {
    cells[outcome].value += 1;
  };
}

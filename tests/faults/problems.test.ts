import { expect, test } from 'vitest';
import { zeroFigures } from '../../services/sink/src/verify-hours/hour-report.ts';
import { problemsOf } from './problems.ts';

const VERDICT = { sent: 9, acknowledged: 9, stored: 9, missing: 0, doubled: 0, changed: 0, examples: [] };
const GREEN = {
  round: 'a round',
  view: VERDICT,
  topic: { ...VERDICT, doubled: 3 },
  outOfOrder: 0,
  invalid: 0,
  deadLetters: 0,
  mischarted: 0,
  answers: { 200: 9, '503 unavailable': 2, ECONNREFUSED: 4 },
  slowestAnswerMs: 4_600,
  longestOutageMs: 30_000,
  figures: {},
};
const BOUNDS = { slowestAnswerMs: 5_000 };

test('a round in which readings only had to be sent again is green', () => {
  expect(problemsOf(GREEN, { bounds: BOUNDS })).toEqual([]);
});

test.each([
  [
    'a reading missing in the view',
    { view: { ...VERDICT, missing: 1 } },
    /1 acknowledged .* not in the view/,
  ],
  ['a row twice in the view', { view: { ...VERDICT, doubled: 1 } }, /1 rows are in the view twice/],
  ['a changed row', { view: { ...VERDICT, changed: 1 } }, /1 rows of the view were never sent like that/],
  ['a reading missing in the topic', { topic: { ...VERDICT, missing: 2 } }, /2 .* not in the topic/],
  ['a changed record', { topic: { ...VERDICT, changed: 2 } }, /2 records of the topic/],
  ['a reading behind a later one', { outOfOrder: 1 }, /1 readings are in the topic behind later ones/],
  ['a dead letter', { deadLetters: 1 }, /1 readings are dead letters/],
  ['an unlisted dead letter', { invalid: 2, listed: 1 }, /1 of 2 invalid messages are listed/],
  ['a reading that a chart lacks', { mischarted: 1 }, /1 .* shown otherwise than they are stored/],
  ['a 500', { answers: { '500 internal_error': 1 } }, /1 × 500 internal_error/],
  ['a 2xx for readings to send again', { answers: { '207 unavailable': 1 } }, /1 × 207 unavailable/],
  ['a 401 for a good key', { answers: { '401': 3 } }, /3 × 401/],
  [
    'a verification that misses a reading',
    { verified: { ...zeroFigures(), stored: 8, missing: 1 } },
    /the verification found .*"missing":1/,
  ],
  ['an answer that is too late', { slowestAnswerMs: 5_001 }, /an answer took 5001 ms/],
])('%s makes it red', (_, change, problem) => {
  const problems = problemsOf({ ...GREEN, ...change }, { bounds: BOUNDS });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(problem);
});

test('where no request may fail, a rejected one and one without a response are problems', () => {
  expect(problemsOf(GREEN, { bounds: { failedRequests: 5 } })).toEqual(['6 requests failed, more than 5']);
  expect(problemsOf(GREEN, { bounds: { failedRequests: 6 } })).toEqual([]);
});

test('a response that the round allows is none', () => {
  const report = { ...GREEN, answers: { '400 timestamp_out_of_range': 5 } };
  expect(problemsOf(report, { bounds: {}, allowedAnswers: ['400 timestamp_out_of_range'] })).toEqual([]);
});

import { expect, test } from 'vitest';
import { ApiError } from '../src/api/api-error.ts';
import { describeProblem, problemKind } from '../src/display/problems/describe-problem.ts';

const HERE = { isOnline: true, isUpdated: false };
const failed = (status: number) => new ApiError({ status, code: 'any', message: 'Cellar not found' });

test.each([
  ['gone', failed(404), HERE],
  ['forbidden', failed(403), HERE],
  ['unreachable', failed(0), HERE],
  ['offline', failed(0), { ...HERE, isOnline: false }],
  ['failed', failed(503), HERE],
  ['failed', new TypeError('x is undefined'), HERE],
  ['updated', failed(0), { isOnline: true, isUpdated: true }],
] as const)('an error is %s', (kind, error, surroundings) => {
  expect(problemKind(error, surroundings)).toBe(kind);
});

test('each kind has its own action, and none claims that readings are stored', () => {
  const kinds = ['gone', 'forbidden', 'offline', 'updated', 'unreachable', 'failed'] as const;
  const texts = kinds.map((kind) => describeProblem(kind, 'cellar demo', failed(503)));
  expect(texts.map(({ action }) => action)).toEqual([
    'cellars',
    'cellars',
    'retry',
    'reload',
    'retry',
    'retry',
  ]);
  expect(texts[0]?.title).toBe('Cellar demo not found');
  for (const { text } of texts) expect(text).not.toMatch(/stored/);
});

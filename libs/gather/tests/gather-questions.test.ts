import { afterEach, expect, test, vi } from 'vitest';
import { gatherQuestions } from '../src/index.ts';

/** Questions whose batches the test answers by hand. */
function setUp(restMs = 0) {
  const batches: {
    questions: readonly number[];
    answer: (answers: readonly string[]) => void;
    fail: () => void;
  }[] = [];
  const ask = gatherQuestions<number, string>({
    maxBatch: 3,
    maxUnderWay: 2,
    restMs,
    ask: (questions) =>
      new Promise((resolve, reject) => {
        batches.push({ questions, answer: resolve, fail: () => reject(new Error('away')) });
      }),
  });
  const asked = () => batches.map(({ questions }) => questions);
  return { ask, batches, asked };
}

afterEach(() => {
  vi.useRealTimers();
});

const spelled = (questions: readonly number[]) => questions.map((question) => `answer ${question}`);

test('what is asked in one turn goes out together, and a lone question at once', async () => {
  const { ask, batches, asked } = setUp();
  const both = Promise.all([ask(1), ask(2)]);
  await Promise.resolve();
  expect(asked()).toEqual([[1, 2]]);
  const lone = ask(3);
  await Promise.resolve();
  expect(asked()).toEqual([[1, 2], [3]]);
  for (const { questions, answer } of batches) answer(spelled(questions));
  expect(await both).toEqual(['answer 1', 'answer 2']);
  expect(await lone).toBe('answer 3');
});

test('more gathers while batches are under way, and leaves in order, no batch too large', async () => {
  const { ask, batches, asked } = setUp();
  const answers = Promise.all(Array.from({ length: 12 }, (_, i) => ask(i)));
  await Promise.resolve();
  expect(asked()).toEqual([
    [0, 1, 2],
    [3, 4, 5],
  ]);
  for (let batch = 0; batch < 4; batch++) {
    await expect.poll(() => batches.length).toBeGreaterThan(batch);
    expect(batches.length).toBeLessThanOrEqual(batch + 2);
    const { questions, answer } = batches[batch] as (typeof batches)[number];
    answer(spelled(questions));
  }
  expect(await answers).toEqual(spelled(Array.from({ length: 12 }, (_, i) => i)));
});

test('a failure ends its own batch only', async () => {
  const { ask, batches, asked } = setUp();
  const first = Promise.allSettled([ask(1), ask(2), ask(3)]);
  const second = ask(4);
  await Promise.resolve();
  batches[0]?.fail();
  expect((await first).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  batches[1]?.answer(['answer 4']);
  expect(await second).toBe('answer 4');

  const wrong = ask(5);
  await Promise.resolve();
  expect(asked()).toHaveLength(3);
  batches[2]?.answer([]);
  await expect(wrong).rejects.toThrow('1 questions got 0 answers');
});

test('with a rest, a lone question still goes at once, and what comes soon behind it goes together', async () => {
  vi.useFakeTimers();
  const { ask, batches, asked } = setUp(10);
  const answers = [ask(1)];
  await vi.advanceTimersByTimeAsync(4);
  answers.push(ask(2));
  await vi.advanceTimersByTimeAsync(4);
  answers.push(ask(3));
  // An answer meanwhile does not end the rest.
  batches[0]?.answer(spelled([1]));
  await vi.advanceTimersByTimeAsync(1);
  expect(asked()).toEqual([[1]]);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked()).toEqual([[1], [2, 3]]);

  batches[1]?.answer(spelled([2, 3]));
  await vi.advanceTimersByTimeAsync(50);
  answers.push(ask(4));
  await vi.advanceTimersByTimeAsync(0);
  expect(asked()).toEqual([[1], [2, 3], [4]]);
  batches[2]?.answer(spelled([4]));
  expect(await Promise.all(answers)).toEqual(spelled([1, 2, 3, 4]));
});

test('with a rest, batches that are under way still bound those that leave', async () => {
  vi.useFakeTimers();
  const { ask, batches, asked } = setUp(10);
  const answers = Promise.all(Array.from({ length: 9 }, (_, i) => ask(i)));
  await vi.advanceTimersByTimeAsync(100);
  expect(asked()).toEqual([
    [0, 1, 2],
    [3, 4, 5],
  ]);
  for (const batch of [0, 1, 2]) {
    const { questions, answer } = batches[batch] as (typeof batches)[number];
    answer(spelled(questions));
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(await answers).toEqual(spelled(Array.from({ length: 9 }, (_, i) => i)));
});

test('a full batch does not rest, whether its last question comes while one leaves or later', async () => {
  vi.useFakeTimers();
  const { ask, batches, asked } = setUp(10);
  const answers = [ask(1)];
  await vi.advanceTimersByTimeAsync(1);
  answers.push(ask(2), ask(3));
  await vi.advanceTimersByTimeAsync(1);
  answers.push(ask(4));
  await vi.advanceTimersByTimeAsync(0);
  expect(asked()).toEqual([[1], [2, 3, 4]]);

  // Its departure begins another rest, and the timer of the one before does not end that.
  batches[0]?.answer(spelled([1]));
  batches[1]?.answer(spelled([2, 3, 4]));
  await vi.advanceTimersByTimeAsync(1);
  answers.push(ask(5));
  await vi.advanceTimersByTimeAsync(8);
  expect(asked()).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked()).toEqual([[1], [2, 3, 4], [5]]);

  answers.push(...[6, 7, 8, 9, 10, 11].map(ask));
  await vi.advanceTimersByTimeAsync(0);
  expect(asked().slice(3)).toEqual([[6, 7, 8]]);
  batches[2]?.answer(spelled([5]));
  await vi.advanceTimersByTimeAsync(0);
  expect(asked().slice(4)).toEqual([[9, 10, 11]]);
  batches[3]?.answer(spelled([6, 7, 8]));
  batches[4]?.answer(spelled([9, 10, 11]));
  expect(await Promise.all(answers)).toHaveLength(11);
});

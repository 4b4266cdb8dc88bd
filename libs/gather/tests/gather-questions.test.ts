import { expect, test } from 'vitest';
import { gatherQuestions } from '../src/index.ts';

/** Questions whose batches the test answers by hand. */
function setUp() {
  const batches: {
    questions: readonly number[];
    answer: (answers: readonly string[]) => void;
    fail: () => void;
  }[] = [];
  const ask = gatherQuestions<number, string>({
    maxBatch: 3,
    maxUnderWay: 2,
    ask: (questions) =>
      new Promise((resolve, reject) => {
        batches.push({ questions, answer: resolve, fail: () => reject(new Error('away')) });
      }),
  });
  const asked = () => batches.map(({ questions }) => questions);
  return { ask, batches, asked };
}

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

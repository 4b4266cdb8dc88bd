import { afterEach, expect, test, vi } from 'vitest';
import { coalesceRequests } from '../src/index.ts';

/** Requests whose batches the test completes by hand. */
function setUp(intervalMs = 0) {
  const batches: {
    items: readonly number[];
    respond: (results: readonly string[]) => void;
    fail: () => void;
  }[] = [];
  const request = coalesceRequests<number, string>({
    maxBatch: 3,
    maxInFlight: 2,
    intervalMs,
    send: (items) =>
      new Promise((resolve, reject) => {
        batches.push({ items, respond: resolve, fail: () => reject(new Error('away')) });
      }),
  });
  const sent = () => batches.map(({ items }) => items);
  return { request, batches, sent };
}

afterEach(() => {
  vi.useRealTimers();
});

const resultsOf = (items: readonly number[]) => items.map((item) => `result ${item}`);

test('items of one microtask are one batch, and a single item is sent immediately', async () => {
  const { request, batches, sent } = setUp();
  const both = Promise.all([request(1), request(2)]);
  await Promise.resolve();
  expect(sent()).toEqual([[1, 2]]);
  const lone = request(3);
  await Promise.resolve();
  expect(sent()).toEqual([[1, 2], [3]]);
  for (const { items, respond } of batches) respond(resultsOf(items));
  expect(await both).toEqual(['result 1', 'result 2']);
  expect(await lone).toBe('result 3');
});

test('items wait while the maximum of batches is in flight, and are sent in order in batches of the maximum size', async () => {
  const { request, batches, sent } = setUp();
  const results = Promise.all(Array.from({ length: 12 }, (_, i) => request(i)));
  await Promise.resolve();
  expect(sent()).toEqual([
    [0, 1, 2],
    [3, 4, 5],
  ]);
  for (let batch = 0; batch < 4; batch++) {
    await expect.poll(() => batches.length).toBeGreaterThan(batch);
    expect(batches.length).toBeLessThanOrEqual(batch + 2);
    const { items, respond } = batches[batch] as (typeof batches)[number];
    respond(resultsOf(items));
  }
  expect(await results).toEqual(resultsOf(Array.from({ length: 12 }, (_, i) => i)));
});

test('a failure rejects only its own batch', async () => {
  const { request, batches, sent } = setUp();
  const first = Promise.allSettled([request(1), request(2), request(3)]);
  const second = request(4);
  await Promise.resolve();
  batches[0]?.fail();
  expect((await first).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  batches[1]?.respond(['result 4']);
  expect(await second).toBe('result 4');

  const wrong = request(5);
  await Promise.resolve();
  expect(sent()).toHaveLength(3);
  batches[2]?.respond([]);
  await expect(wrong).rejects.toThrow('a batch of 1 items has 0 results');
});

test('with an interval, a first item is sent immediately, and later items of the interval are one batch', async () => {
  vi.useFakeTimers();
  const { request, batches, sent } = setUp(10);
  const results = [request(1)];
  await vi.advanceTimersByTimeAsync(4);
  results.push(request(2));
  await vi.advanceTimersByTimeAsync(4);
  results.push(request(3));
  // A response does not end the interval.
  batches[0]?.respond(resultsOf([1]));
  await vi.advanceTimersByTimeAsync(1);
  expect(sent()).toEqual([[1]]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent()).toEqual([[1], [2, 3]]);

  batches[1]?.respond(resultsOf([2, 3]));
  await vi.advanceTimersByTimeAsync(50);
  results.push(request(4));
  await vi.advanceTimersByTimeAsync(0);
  expect(sent()).toEqual([[1], [2, 3], [4]]);
  batches[2]?.respond(resultsOf([4]));
  expect(await Promise.all(results)).toEqual(resultsOf([1, 2, 3, 4]));
});

test('with an interval, the maximum of batches in flight still applies', async () => {
  vi.useFakeTimers();
  const { request, batches, sent } = setUp(10);
  const results = Promise.all(Array.from({ length: 9 }, (_, i) => request(i)));
  await vi.advanceTimersByTimeAsync(100);
  expect(sent()).toEqual([
    [0, 1, 2],
    [3, 4, 5],
  ]);
  for (const batch of [0, 1, 2]) {
    const { items, respond } = batches[batch] as (typeof batches)[number];
    respond(resultsOf(items));
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(await results).toEqual(resultsOf(Array.from({ length: 9 }, (_, i) => i)));
});

test('a full batch does not wait for the interval', async () => {
  vi.useFakeTimers();
  const { request, batches, sent } = setUp(10);
  const results = [request(1)];
  await vi.advanceTimersByTimeAsync(1);
  results.push(request(2), request(3));
  await vi.advanceTimersByTimeAsync(1);
  results.push(request(4));
  await vi.advanceTimersByTimeAsync(0);
  expect(sent()).toEqual([[1], [2, 3, 4]]);

  // Sending it starts another interval, which the timer of the previous one does not end.
  batches[0]?.respond(resultsOf([1]));
  batches[1]?.respond(resultsOf([2, 3, 4]));
  await vi.advanceTimersByTimeAsync(1);
  results.push(request(5));
  await vi.advanceTimersByTimeAsync(8);
  expect(sent()).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent()).toEqual([[1], [2, 3, 4], [5]]);

  results.push(...[6, 7, 8, 9, 10, 11].map(request));
  await vi.advanceTimersByTimeAsync(0);
  expect(sent().slice(3)).toEqual([[6, 7, 8]]);
  batches[2]?.respond(resultsOf([5]));
  await vi.advanceTimersByTimeAsync(0);
  expect(sent().slice(4)).toEqual([[9, 10, 11]]);
  batches[3]?.respond(resultsOf([6, 7, 8]));
  batches[4]?.respond(resultsOf([9, 10, 11]));
  expect(await Promise.all(results)).toHaveLength(11);
});
